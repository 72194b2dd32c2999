// Tests of a code from its issue to its redemption, with a fake DNS.

import { verifyValidationData } from "domain-signin-verify";
import { verifyChain } from "domain-signin-verify/dnssec/chain";
import { beforeEach, expect, test } from "vitest";
import { goodChain, makeWorld, type World } from "../../../verify/test/support/world.ts";
import { httpRequest } from "../../test/support/http-request.ts";
import { noResources } from "../../test/support/oauth-world.ts";
import { someDelivery } from "../../test/support/some-delivery.ts";
import { someInteraction, someSession } from "../../test/support/store-rows.ts";
import { makeTestKey } from "../../test/support/test-keys.ts";
import type { Everything } from "../assemble.ts";
import type { Assurance } from "../dns/assurance.ts";
import type { SpRecordLook } from "../dns/sp-record.ts";
import { newGrantId } from "../interaction/interaction.ts";
import { PageError } from "../interaction/pending-request.ts";
import { type Keyring, openKeyring } from "../keys/keyring.ts";
import { sealWith } from "../keys/seal.ts";
import { clockFrom } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import { systemRandom } from "../lib/random.ts";
import { migrate } from "../store/migrations.ts";
import { openSqlite } from "../store/sqlite.ts";
import { aggregatesOf, createStore, type Store } from "../store/store.ts";
import { redeemAuthorizationCode } from "./authorization-code-grant.ts";
import { readAuthorizationRequest } from "./authorization-request.ts";
import { issueCode } from "./authorization-response.ts";
import { cachedClients, readClient } from "./client.ts";
import { makeClient } from "./client-registration.ts";
import { AuthorizationError } from "./errors.ts";
import { challengeOf } from "./pkce.ts";

/** A time in the middle of the validity of the signed zones. */
const NOW = 1_900_000_000;
const ISSUER = "https://auth.example.com";
const REDIRECT_URI = "https://app.example.org/callback";
const VERIFIER = "a-code-verifier-of-this-very-browser-session";
const clock = clockFrom(() => NOW * 1000);
const random = systemRandom;
const { row } = makeClient({ name: "App", redirect_uris: [REDIRECT_URI] }, { random, clock });
const client = readClient(row);

let store: Store;
let keyring: Keyring;
let world: World;
let sid: string;
let look: SpRecordLook;
beforeEach(async () => {
  const engine = openSqlite(":memory:");
  await migrate(engine);
  store = createStore(engine);
  keyring = await openKeyring({
    ...{ store, seal: sealWith("secret", random), clock, random, makeKey: makeTestKey },
  });
  await store.addClient(row);
  const enrolment = {
    ...{ domain: "alice.test", acct: "acct", accountId: "sub_1" },
    ...{ finishHash: "finish" },
  };
  await store.enrol({ enrolment, recoveryCodeHashes: ["hash"], now: NOW - 9000 });
  ({ sid } = await store.startSession(someSession("sub_1")));
  await store.beginInteraction(someInteraction({ id: "interaction" }));
  world = await makeWorld();
  const chain = await goodChain(world);
  const { notBefore, notAfter } = await verifyChain(chain, world.request);
  look = {
    ...{ outcome: "own", acct: "acct", jkt: [], spk: [], name: "_domain-signin.alice.test" },
    ...{ assurance: "secure", checkedAt: NOW - 5, resolvers: 1, records: [] },
    proof: { chain, notBefore, notAfter },
    inception: notBefore,
  };
});

let minAssurance: Assurance;
beforeEach(() => {
  minAssurance = "single";
});

function parts(changes: Partial<Store> = {}): Everything {
  const used = { ...store, ...changes };
  const clients = cachedClients(used, clock);
  return {
    ...({ issuer: ISSUER, ...aggregatesOf(used), clients, keyring, clock, random } as Everything),
    minAssurance,
    storageLimit: { take: () => {} },
    spRecords: { look: async () => look } as unknown as Everything["spRecords"],
  };
}

async function issue(more: Record<string, string> = {}, checkedAt = NOW - 60): Promise<string> {
  return new URL(await answerTo(more, checkedAt)).searchParams.get("code") ?? "";
}

/** Where the browser is sent, or the status of the page. */
async function answerTo(
  more: Record<string, string>,
  controlCheckedAt: number,
  { changes, registered }: { changes?: Partial<Store>; registered?: object } = {},
): Promise<string> {
  const query = new URLSearchParams({
    ...{ client_id: client.client_id, redirect_uri: REDIRECT_URI, response_type: "code" },
    ...{ scope: "openid", code_challenge: challengeOf(VERIFIER) ?? "" },
    ...{ code_challenge_method: "S256", ...more },
  });
  const read = await readAuthorizationRequest(`${query}`, {
    ...{ ...parts(), resources: noResources },
  });
  const request = { ...read, client: { ...read.client, ...registered } };
  const proof = {
    accountId: "sub_1",
    authTime: NOW - 60,
    amr: "dns",
    controlCheckedAt,
    sid,
    interaction: { id: "interaction", decision: "allow" as const },
  };
  const grantId = newGrantId(clock, random);
  const http = httpRequest(new Request(`${ISSUER}/interaction/x/complete`));
  const { status, headers } = await issueCode(
    { ...proof, grantId },
    { http, request },
    parts(changes),
  );
  return String(headers.location ?? status);
}

const redeem = (code: string, changes?: Partial<Store>) =>
  redeemAuthorizationCode(
    { client, isProven: true },
    new Map(Object.entries({ code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER })),
    parts(changes),
    someDelivery(),
  );

test("no code is issued for an answer below the required assurance", async () => {
  look = { ...look, assurance: "corroborated", proof: null, inception: null };
  minAssurance = "secure";
  expect(await answerTo({}, NOW - 60)).toBe("503");
  minAssurance = "corroborated";
  expect(await answerTo({}, NOW - 60)).toContain("code=");
});

test("an app that is told of the end of sessions is noted before its code, and gets none if too many are", async () => {
  const told = { backchannel_logout_uri: "https://app.example.org/told" };
  const noted: unknown[] = [];
  let hasRoom = true;
  const noteSessionClient: Store["noteSessionClient"] = async (one) => {
    noted.push(one);
    return hasRoom;
  };
  expect(await answerTo({}, NOW - 60, { changes: { noteSessionClient } })).toContain("code=");
  expect(noted).toEqual([]);
  const toTold = { changes: { noteSessionClient }, registered: told };
  expect(await answerTo({}, NOW - 60, toTold)).toContain("code=");
  expect(noted).toEqual([{ sid, clientId: client.client_id, host: "app.example.org" }]);
  hasRoom = false;
  await expect(answerTo({}, NOW - 60, toTold)).rejects.toMatchObject({ code: "access_denied" });
});

test("the chain of the look at the issue comes with the tokens, and proves the record to anybody", async () => {
  const { access_token, validation_data: data } = await redeem(await issue());
  const proven = await verifyValidationData(data, {
    ...{ clientId: client.client_id, redirectUri: REDIRECT_URI, issuer: ISSUER, now: NOW },
    ...{ codeVerifier: VERIFIER, accessToken: access_token, require: "attestation" },
    jwks: { keys: keyring.publicKeys(NOW) },
  });
  expect(proven).toMatchObject({ domain: "alice.test", sub: "sub_1", sp: ISSUER, acct: "acct" });
  const octets = new Uint8Array(Buffer.from(data?.dnssec?.chain ?? "", "base64url"));
  const { name, type, trustAnchors = [] } = world.request;
  expect((await verifyChain(octets, { name, type, trustAnchors, now: NOW })).name).toBe(name);
});

test("a database that fails over the evidence has not spent the code", async () => {
  const code = await issue();
  const readEvidence = () => Promise.reject(new UnavailableError("gone"));
  await expect(redeem(code, { readEvidence })).rejects.toThrow(UnavailableError);
  expect((await redeem(code)).validation_data?.domain).toBe("alice.test");
});

test("a database that fails to keep the evidence issues no code", async () => {
  const kept = store;
  store = { ...store, keepEvidence: () => Promise.reject(new UnavailableError("gone")) };
  const issued: string[] = [];
  store.issueGrant = (grant) => {
    issued.push(grant.id);
    return kept.issueGrant(grant);
  };
  await expect(issue()).rejects.toThrow(UnavailableError);
  expect(issued).toEqual([]);
});

test("an account that the record no longer names ends on a page, and a silent request at its client", async () => {
  look = { ...look, outcome: "absent" };
  await expect(issue()).rejects.toMatchObject({ problem: "expired", status: 400 });
  await expect(issue()).rejects.toThrow(PageError);
  await expect(issue({ prompt: "none" })).rejects.toThrow(AuthorizationError);
  await expect(issue({ prompt: "none" })).rejects.toMatchObject({
    ...{
      code: "login_required",
      message: "the DNS record of the domain no longer names the account",
    },
  });
});

test("an account that is gone ends on a page", async () => {
  store = { ...store, readAccount: async () => null };
  await expect(issue()).rejects.toMatchObject({ problem: "expired", status: 400 });
});

test.each([
  ["unavailable", 300, true],
  ["unavailable", 301, false],
  ["contradictory", 0, false],
] as const)(
  "a look that is %s, %i seconds after the last good one: whether there is a code, %s",
  async (failure, seconds, isIssued) => {
    const reason = failure === "contradictory" ? failure : "timeout";
    look = { ...look, outcome: "unavailable", reason, proof: null, inception: null };
    const issued: string[] = [];
    const { issueGrant } = store;
    store.issueGrant = (grant) => {
      issued.push(grant.id);
      return issueGrant(grant);
    };
    if (isIssued) {
      expect(await issue({}, NOW - seconds)).toMatch(/^dsc_/);
      return;
    }
    expect(await answerTo({}, NOW - seconds)).toBe("503");
    await expect(answerTo({ prompt: "none" }, NOW - seconds)).rejects.toMatchObject({
      ...{ code: "temporarily_unavailable", message: "the DNS lookup for the domain failed" },
    });
    expect(issued).toEqual([]);
  },
);

// Tests of a code from its issue to its redemption, with a fake DNS.

import { verifyValidationData } from "domain-signin-verify";
import { verifyChain } from "domain-signin-verify/dnssec/chain";
import { beforeEach, expect, test } from "vitest";
import { goodChain, makeWorld, type World } from "../../../verify/test/support/world.ts";
import { fixture } from "../../test/support/fixture.ts";
import {
  ISSUER,
  makeOAuthWorld,
  queryFor,
  REDIRECT_URI,
  requestTo,
} from "../../test/support/oauth-world.ts";
import { someInteraction } from "../../test/support/store-rows.ts";
import { createControl } from "../account/control.ts";
import type { Client } from "../clients/client.ts";
import type { Assurance } from "../dns/assurance.ts";
import { PageError } from "../interaction/pending-request.ts";
import { UnavailableError } from "../lib/errors.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { timeOrderedId } from "../lib/random.ts";
import type { Account } from "../store/accounts.ts";
import type { GrantStore } from "../store/grants.ts";
import { CLIENTS_OF_SESSION } from "../store/logouts.ts";
import type { Aggregates } from "../store/store.ts";
import { createAuthorizationResponse } from "./authorization-response.ts";
import { challengeOf } from "./pkce.ts";
import { AuthorizationError } from "./protocol-errors.ts";

/** A time in the middle of the validity of the signed zones. */
const NOW = 1_900_000_000;
const VERIFIER = "a-code-verifier-of-this-very-browser-session";

const at = fixture(makeOAuthWorld, "test");
let world: World;
let client: Client;
let account: Account;
let sid: string;
let minAssurance: Assurance;
beforeEach(async () => {
  at.now = NOW;
  minAssurance = "single";
  ({ client } = await at.addClient());
  account = await at.addAccount();
  sid = await at.openSession(account);
  await at.store.interactions.beginInteraction(someInteraction({ id: "interaction" }));
  world = await makeWorld();
  const chain = await goodChain(world);
  const { notBefore, notAfter } = await verifyChain(chain, world.request);
  const proof = { chain, notBefore, notAfter };
  at.look = at.lookOf(account, { assurance: "secure", proof, inception: notBefore });
});

/** The parts of the world on a store with these changes. */
function partsWith(changes: Partial<Aggregates> = {}) {
  const parts = { ...at.parts, ...changes, minAssurance };
  const { lookUp } = createControl(parts);
  return { ...parts, control: { ...parts.control, lookUp } };
}

type Used = {
  readonly changes?: Partial<Aggregates>;
  readonly registered?: object;
  readonly known?: Account | null;
};

async function issue(...options: Parameters<typeof answerTo>): Promise<string> {
  return new URL(await answerTo(...options)).searchParams.get("code") ?? "";
}

/** Where the browser is sent, or the status of the page. */
async function answerTo(
  more: Record<string, string> = {},
  controlCheckedAt = NOW - 60,
  { changes, registered, known = account }: Used = {},
): Promise<string> {
  const pkce = { code_challenge: challengeOf(VERIFIER) ?? "", code_challenge_method: "S256" };
  const http = requestTo("/interaction/x/complete");
  const read = await at.parts.readRequest(queryFor(client, { ...pkce, ...more }), {
    from: SERVICE,
    hasActed: true,
  });
  const request = { ...read, client: { ...read.client, ...registered } };
  const proof = {
    ...{ accountId: account.id, authTime: NOW - 60, amr: "dns", controlCheckedAt, sid },
    ...{ interaction: { id: "interaction", decision: "allow" as const } },
    grantId: timeOrderedId(at.parts.clock, at.parts.random),
  };
  const { issueCode } = createAuthorizationResponse(partsWith(changes));
  const { status, headers } = await issueCode(proof, { http, request, account: known });
  return String(headers.location ?? status);
}

const redeem = (code: string, changes?: Partial<Aggregates>) =>
  at.redeem(code, { by: client, parts: partsWith(changes), sent: { code_verifier: VERIFIER } });

const evidenceIds = async () =>
  (await at.engine.execute("SELECT grant_id FROM evidence", [])).map(({ grant_id }) => grant_id);

/** The same look, which failed or found something else. */
const unproven = (changes: object) => ({ ...at.look, proof: null, inception: null, ...changes });

/** The grants that are issued from now on. */
function watchedGrants() {
  const issued: string[] = [];
  const issueWith: GrantStore["issueWith"] = (grant, more) => {
    issued.push(grant.id);
    return at.store.grants.issueWith(grant, more);
  };
  return { issued, grants: { ...at.store.grants, issueWith } };
}

test("no code is issued for an answer below the required assurance", async () => {
  at.look = unproven({ assurance: "corroborated" });
  minAssurance = "secure";
  expect(await answerTo()).toBe("503");
  minAssurance = "corroborated";
  expect(await answerTo()).toContain("code=");
});

test("an app that is told of the end of sessions is noted with its code, and gets none if too many are", async () => {
  const registered = { backchannel_logout_uri: "https://app.example.org/told" };
  const noted = async () => {
    const rows = await at.engine.execute("SELECT sid, client_id, host FROM session_clients", []);
    return rows.map(({ client_id: clientId, host }) => ({ clientId, host }));
  };
  const { issued, grants } = watchedGrants();
  expect(await answerTo()).toContain("code=");
  expect(await noted()).toEqual([]);
  const own = { clientId: client.client_id, host: "app.example.org" };
  expect(await answerTo({}, NOW - 60, { registered })).toContain("code=");
  expect(await noted()).toEqual([own]);
  for (let count = 0; count <= CLIENTS_OF_SESSION; count++) {
    await at.store.logouts.noteSessionClient({ sid, clientId: `other ${count}`, host: "h" });
  }
  // It has its place.
  expect(await answerTo({}, NOW - 60, { registered })).toContain("code=");
  await at.engine.execute("DELETE FROM session_clients WHERE client_id = ?1", [own.clientId]);
  await at.store.logouts.noteSessionClient({ sid, clientId: "last", host: "h" });
  const refused = answerTo({}, NOW - 60, { registered, changes: { grants } });
  await expect(refused).rejects.toMatchObject({ code: "access_denied" });
  expect(await at.grant(issued[0] ?? "")).toBeUndefined();
  expect(await evidenceIds()).not.toContain(issued[0]);
});

test("the chain of the look at the issue comes with the tokens, and proves the record to anybody", async () => {
  const { access_token, validation_data: data } = await redeem(await issue());
  const proven = await verifyValidationData(data, {
    ...{ clientId: client.client_id, redirectUri: REDIRECT_URI, issuer: ISSUER, now: NOW },
    ...{ codeVerifier: VERIFIER, accessToken: access_token, require: "attestation" },
    jwks: { keys: at.keyring.publicKeys(NOW) },
  });
  const { domain, acct, id: sub } = account;
  expect(proven).toMatchObject({ domain, sub, sp: ISSUER, acct });
  const octets = new Uint8Array(Buffer.from(data?.dnssec?.chain ?? "", "base64url"));
  const { name, type, trustAnchors = [] } = world.request;
  expect((await verifyChain(octets, { name, type, trustAnchors, now: NOW })).name).toBe(name);
});

test("a database that fails over the evidence has not spent the code", async () => {
  const code = await issue();
  const readEvidence = () => Promise.reject(new UnavailableError("gone"));
  await expect(
    redeem(code, { evidences: { ...at.store.evidences, readEvidence } }),
  ).rejects.toThrow(UnavailableError);
  expect((await redeem(code)).validation_data?.domain).toBe(account.domain);
});

test("a database that fails to keep the evidence keeps nothing of the code", async () => {
  await at.engine.execute("ALTER TABLE evidence RENAME TO evidence_before", []);
  const { issued, grants } = watchedGrants();
  await expect(issue({}, NOW - 60, { changes: { grants } })).rejects.toThrow("no such table");
  expect(await at.grant(issued[0] ?? "")).toBeUndefined();
  await at.engine.execute("ALTER TABLE evidence_before RENAME TO evidence", []);
  const { progress, expiresAt } =
    (await at.store.interactions.readInteraction("interaction")) ?? {};
  expect(progress).toBeDefined();
  expect(expiresAt).toBe(someInteraction().expiresAt);
});

test("an account that the record no longer names ends on a page, and a silent request at its client", async () => {
  at.look = { ...at.look, outcome: "absent" };
  await expect(issue()).rejects.toMatchObject({ problem: "recordLost", status: 400 });
  await expect(issue()).rejects.toThrow(PageError);
  await expect(issue({ prompt: "none" })).rejects.toThrow(AuthorizationError);
  await expect(issue({ prompt: "none" })).rejects.toMatchObject({
    code: "login_required",
    message: "the DNS record of the domain no longer names the account",
  });
});

test("an account that is gone ends on a page", async () => {
  const gone = issue({}, NOW - 60, { known: null });
  await expect(gone).rejects.toMatchObject({ problem: "expired", status: 400 });
});

test.each([
  ["indeterminate", 300, true],
  ["indeterminate", 301, false],
  ["contradictory", 0, false],
] as const)(
  "a look that is %s, %i seconds after the last good one: whether there is a code, %s",
  async (failure, seconds, isIssued) => {
    const reason = failure === "contradictory" ? failure : "timeout";
    at.look = unproven({ outcome: "indeterminate", reason });
    const { issued, grants } = watchedGrants();
    const changes = { grants };
    if (isIssued) {
      expect(await issue({}, NOW - seconds, { changes })).toMatch(/^dsc_/);
      return;
    }
    expect(await answerTo({}, NOW - seconds, { changes })).toBe("503");
    const silent = answerTo({ prompt: "none" }, NOW - seconds, { changes });
    await expect(silent).rejects.toMatchObject({
      ...{ code: "temporarily_unavailable", message: "the DNS lookup for the domain failed" },
    });
    expect(issued).toEqual([]);
  },
);

// The owner proof of a sign-in with a passkey: its own client verifies it offline, and nobody else.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { parseTrustAnchor, type ValidationData, verifyValidationData } from "domain-signin-verify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssuredService, startAssuredService } from "../support/assured-service.ts";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import type { TestClient } from "../support/service.ts";
import {
  authorizationUrl,
  checkAndSave,
  type Pkce,
  pkce,
  pkceParameters,
  publish,
  signIn,
} from "../support/sign-in.ts";
import { judged } from "../support/validation-data.ts";

type Passkey = Awaited<ReturnType<typeof givePasskey>>;

const DOMAIN = "alice.test";
/** What was remembered of the record has expired. */
const AHEAD_S = 400;
const RECORD = `_domain-signin.${DOMAIN}`;

let world: AssuredService;
let listed: Passkey;
let unlisted: Passkey;

beforeAll(async () => {
  world = await startAssuredService("secure");
  const { at, client } = world;
  await signIn(at, client, { agent: createUserAgent(), domain: DOMAIN });
  [listed, unlisted] = [await givePasskey(at, DOMAIN), await givePasskey(at, DOMAIN)];
  const record = at.zone.records().find(({ name }) => name === RECORD);
  if (record === undefined) throw new Error("no record");
  at.zone.remove(record);
  at.zone.add({ ...record, value: `${record.value}; jkt=${listed.thumbprint}` });
  world.advance(AHEAD_S);
});
afterAll(() => world.close());

/** The validation data of a sign-in with this passkey, and what its client knows. */
async function received(passkey: Passkey, client: TestClient = world.client) {
  const { at, zones } = world;
  const [agent, proof, stopAt] = [createUserAgent(), pkce(), client.redirectUri];
  const first = await agent.open(authorizationUrl(at, client, pkceParameters(proof)));
  const page = await agent.submit(first, "domain-form", { domain: DOMAIN }, { stopAt });
  const done = await usePasskey(agent, page, passkey, { stopAt });
  const data = await redeemed(done, proof, client);
  const options = {
    ...{ clientId: client.id, redirectUri: stopAt, issuer: at.issuer },
    ...{ codeVerifier: proof.verifier, require: "owner_proof" as const },
    trustAnchors: zones.trustAnchors.map(parseTrustAnchor),
    now: Math.floor(Date.now() / 1000) + AHEAD_S,
  };
  return { data, options, agent };
}

async function redeemed({ url }: Page, { verifier }: Pkce, client: TestClient) {
  const code = new URL(url).searchParams.get("code") ?? "";
  const fields = { grant_type: "authorization_code", redirect_uri: client.redirectUri, code };
  const { body } = await world.at.token({ ...fields, code_verifier: verifier }, client);
  return body.validation_data as ValidationData;
}

test("the client verifies it with the DNS root alone, and learns the key of the owner", async () => {
  const { data, options } = await received(listed);
  const proven = await verifyValidationData(data, options);
  expect(proven).toMatchObject({ how: "owner_proof", domain: DOMAIN, jkt: listed.thumbprint });
  expect(data.owner_proof).toMatchObject({ kind: "webauthn" });
});

test("it is for that request of that client, and for no other", async () => {
  const first = await received(listed);
  const other = await world.at.addClient({
    consent: "never",
    redirect_uris: ["https://other.example.org/callback"],
  });
  const { data, options } = await received(listed, other);
  expect(await judged(data, options)).toBe("good");
  const { codeVerifier } = first.options;
  expect(await judged(data, { ...options, codeVerifier })).toBe("wrong_request");
  expect(await judged(data, first.options)).toBe("wrong_audience");
  const mixed = { ...data, owner_proof: first.data.owner_proof };
  expect(await judged(mixed, options)).toBe("wrong_audience");
});

test("a passkey that the record does not list signs in, but proves nothing to the client", async () => {
  const { data, options } = await received(unlisted);
  expect(data).not.toHaveProperty("owner_proof");
  expect(data).toHaveProperty("dnssec");
  expect(await judged(data, options)).toBe("missing_part");
});

test("a later sign-in with the session has none: nobody touched the passkey", async () => {
  const { agent } = await received(listed);
  const { at, client } = world;
  const proof = pkce();
  const url = authorizationUrl(at, client, { prompt: "none", ...pkceParameters(proof) });
  const silent = await agent.open(url, { stopAt: client.redirectUri });
  const data = await redeemed(silent, proof, client);
  expect(data).toHaveProperty("dnssec");
  expect(data).not.toHaveProperty("owner_proof");
});

describe("a client that", () => {
  test("insists on it gets no code by a session, and one by the passkey", async () => {
    const client = await world.at.addClient({ consent: "never", owner_proof: "required" });
    const { agent } = await received(listed);
    const stopAt = client.redirectUri;
    const silent = authorizationUrl(world.at, client, {
      prompt: "none",
      ...pkceParameters(pkce()),
    });
    const refused = await agent.open(silent, { stopAt });
    expect(new URL(refused.url).searchParams.get("error")).toBe("login_required");
    const first = await agent.open(authorizationUrl(world.at, client), { stopAt });
    expect(first.step).toBe("domain");
    const { data, options } = await received(listed, client);
    expect(await judged(data, options)).toBe("good");
  });

  test.each([
    ["a passkey that the record does not list", DOMAIN, true],
    ["DNS alone", "plain.alice.test", false],
  ] as const)(
    "insists on it lets nobody through by %s, and the page says why",
    async (_, domain, hasPasskey) => {
      const { at } = world;
      const client = await at.addClient({ consent: "never", owner_proof: "required" });
      const [agent, stopAt] = [createUserAgent(), client.redirectUri];
      const first = await agent.open(authorizationUrl(at, client, pkceParameters(pkce())));
      let page = await agent.submit(first, "domain-form", { domain }, { stopAt });
      if (hasPasskey) {
        page = await usePasskey(agent, page, unlisted, { stopAt });
      } else {
        publish(at, page);
        ({ page } = await checkAndSave(agent, page, { stopAt }));
      }
      expect([page.status, page.step, page.stopped]).toEqual([400, "problem", false]);
      expect(page.html).toContain("Your DNS record must list the passkey");
      expect(page.html).toContain("access_denied");
    },
  );

  test("wants none gets none", async () => {
    const client = await world.at.addClient({ consent: "never", owner_proof: "none" });
    const { data } = await received(listed, client);
    expect(data).toHaveProperty("dnssec");
    expect(data).not.toHaveProperty("owner_proof");
  });
});

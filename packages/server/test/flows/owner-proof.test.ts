// The owner proof of a sign-in with a passkey: its own client verifies it offline, and nobody else.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { parseTrustAnchor, type ValidationData, verifyValidationData } from "domain-signin-verify";
import { beforeAll, describe, expect, test } from "vitest";
import { startAssuredService } from "../support/assured-service.ts";
import { errorOf, flow } from "../support/flow.ts";
import { givePasskey, usePasskey } from "../support/passkeys.ts";
import type { TestClient } from "../support/service.ts";
import {
  type Pkce,
  pkce,
  pkceParameters,
  redeemed,
  replaceRecord,
  signIn,
} from "../support/sign-in.ts";
import { judged } from "../support/validation-data.ts";

type Passkey = Awaited<ReturnType<typeof givePasskey>>;

const DOMAIN = "alice.test";
/** What was remembered of the record has expired. */
const AHEAD_S = 400;
const RECORD = `_domain-signin.${DOMAIN}`;

const at = flow({ start: () => startAssuredService("secure") });
let listed: Passkey;
let unlisted: Passkey;

beforeAll(async () => {
  await signIn(at, await at.addClient({ consent: "never" }), { domain: DOMAIN });
  [listed, unlisted] = [await givePasskey(at, DOMAIN), await givePasskey(at, DOMAIN)];
  const record = at.zone.records().find(({ name }) => name === RECORD);
  if (record === undefined) throw new Error("no record");
  replaceRecord(at.zone, RECORD, `${record.value} jkt=${listed.thumbprint}`);
  at.advance(AHEAD_S);
});

/** The validation data of a sign-in with this passkey in a new browser, and what its client knows. */
async function received(passkey: Passkey, client: TestClient = at.client) {
  const [agent, proof, stopAt] = [createUserAgent(), pkce(), client.redirectUri];
  const parameters = pkceParameters(proof);
  const page = await at.begin({ agent, client, domain: DOMAIN, parameters });
  const data = await dataOf(await usePasskey(agent, page, passkey, { stopAt }), proof, client);
  const options = {
    ...{ clientId: client.id, redirectUri: stopAt, issuer: at.issuer },
    ...{ codeVerifier: proof.verifier, require: "owner_proof" as const },
    trustAnchors: at.zones.trustAnchors.map(parseTrustAnchor),
    now: Math.floor(Date.now() / 1000) + AHEAD_S,
  };
  return { data, options, agent };
}

const dataOf = async (page: Page, { verifier }: Pkce, client = at.client) =>
  (await redeemed(at, client, page, verifier)).body.validation_data as ValidationData;

test("the client verifies it with the DNS root alone, and learns the key of the owner", async () => {
  const { data, options } = await received(listed);
  const proven = await verifyValidationData(data, options);
  expect(proven).toMatchObject({ how: "owner_proof", domain: DOMAIN, jkt: listed.thumbprint });
  expect(data.owner_proof).toMatchObject({ kind: "webauthn" });
});

test("it is for that request of that client, and for no other", async () => {
  const first = await received(listed);
  const redirect_uris = ["https://other.example.org/callback"];
  const other = await at.addClient({ consent: "never", redirect_uris });
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
  const proof = pkce();
  const silent = await at.open({ prompt: "none", ...pkceParameters(proof) }, { agent });
  const data = await dataOf(silent, proof);
  expect(data).toHaveProperty("dnssec");
  expect(data).not.toHaveProperty("owner_proof");
});

describe("a client that", () => {
  test("insists on it gets no code by a session, and one by the passkey", async () => {
    const client = await at.addClient({ consent: "never", owner_proof: "required" });
    const { agent } = await received(listed);
    const refused = await at.open({ prompt: "none", ...pkceParameters(pkce()) }, { agent, client });
    expect(errorOf(refused)).toBe("login_required");
    expect((await at.open({}, { agent, client })).step).toBe("domain");
    const { data, options } = await received(listed, client);
    expect(await judged(data, options)).toBe("good");
  });

  test.each([
    ["a passkey that the record does not list", DOMAIN, true],
    ["DNS alone", "plain.alice.test", false],
  ] as const)(
    "insists on it lets nobody through by %s, and the page says why",
    async (_, domain, hasPasskey) => {
      at.client = await at.addClient({ consent: "never", owner_proof: "required" });
      const stopAt = at.client.redirectUri;
      const first = await at.begin({ domain, parameters: pkceParameters(pkce()) });
      const page = hasPasskey
        ? await usePasskey(at.agent, first, unlisted, { stopAt })
        : (await at.finish(first)).page;
      expect([page.status, page.step, page.stopped]).toEqual([400, "problem", false]);
      expect(page.html).toContain("Your DNS record must list the passkey");
      expect(page.html).toContain("access_denied");
    },
  );

  test("wants none gets none", async () => {
    const client = await at.addClient({ consent: "never", owner_proof: "none" });
    const { data } = await received(listed, client);
    expect(data).toHaveProperty("dnssec");
    expect(data).not.toHaveProperty("owner_proof");
  });
});

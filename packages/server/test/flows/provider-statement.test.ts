// The provider statement over HTTP: a service gets the proof for its app's request, and the verifier accepts it.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { parseTrustAnchor, type ValidationData } from "domain-signin-verify";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { startAssuredService } from "../support/assured-service.ts";
import {
  type AssertionKey,
  makeAssertionKey,
  serveClient,
  startDocumentHost,
} from "../support/document-client.ts";
import { fixture } from "../support/fixture.ts";
import { flow, hasCode } from "../support/flow.ts";
import type { TestClient } from "../support/service.ts";
import {
  answerPage,
  authorizationUrl,
  checkAndSave,
  leaveSessions,
  pkce,
  pkceParameters,
  redemption,
  replaceRecord,
  signIn,
} from "../support/sign-in.ts";
import { judged, signInForData } from "../support/validation-data.ts";

const DOMAIN = "alice.test";
const APP = { id: "dsid_final-app", redirectUri: "https://final.example.org/cb" };

const at = flow({ start: () => startAssuredService("secure") });
const host = fixture(startDocumentHost);
const ofApp = pkce();
let key: AssertionKey;
let service: TestClient;
beforeAll(async () => {
  key = await makeAssertionKey();
  service = serveClient(host, "/federation/client/h", {
    ...{ token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [key.jwk] } },
    issuer: host.origin,
  });
});

const wanted = () => ({
  ...{ ds_aud: APP.id, ds_redirect_uri: APP.redirectUri, ds_cch: ofApp.challenge, ds_hop: "1" },
});

let ahead = 0;
/** Past what is remembered of a zone. */
function advance(seconds: number): void {
  ahead += seconds;
  at.advance(seconds);
}

/** The claims of the ID token that a client gets for such a request. */
async function claimsFor(
  client: TestClient,
  parameters: Record<string, string>,
  { isProven = true } = {},
) {
  const done = await signIn(at, client, { domain: DOMAIN, parameters });
  const now = Math.floor(Date.now() / 1000) + ahead;
  const about = { clientId: client.id, issuer: at.issuer, now };
  const proof = isProven ? await key.assert(about) : { client_id: client.id };
  const { status, body } = await at.token({ ...redemption(client, done), ...proof });
  expect([status, body.error_description]).toEqual([200, undefined]);
  return decodeJwt(String(body.id_token));
}

/** What a service would pass on to its app: the chain as any client gets it, and the provider's proof. */
async function handedOn(provider_proof: unknown): Promise<unknown> {
  const { data } = await signInForData(at, at.client, { domain: DOMAIN });
  const { dnssec } = data as ValidationData;
  return { v: 1, domain: DOMAIN, attestation: "not.looked.at", dnssec, provider_proof };
}

const options = () => ({
  ...{ clientId: APP.id, redirectUri: APP.redirectUri, issuer: host.origin },
  ...{ codeVerifier: ofApp.verifier, require: "provider_proof" as const },
  trustAnchors: at.zones.trustAnchors.map(parseTrustAnchor),
});

test("the proof convinces the app, without a word of the service", async () => {
  const { provider_proof } = await claimsFor(service, wanted());
  const data = await handedOn(provider_proof);
  expect(await judged(data, options())).toBe("good");
  for (const [changes, code] of [
    [{ clientId: "dsid_other-app" }, "wrong_audience"],
    [{ redirectUri: "https://other.example.org/cb" }, "wrong_redirect_uri"],
    [{ codeVerifier: pkce().verifier }, "wrong_request"],
    [{ issuer: at.issuer }, "wrong_issuer"],
    [{ now: Date.now() / 1000 + 3600 + 301 }, "expired"],
  ] as const)
    expect(await judged(data, { ...options(), ...changes })).toBe(code);
});

test("says what we know and what was asked, and nothing else", async () => {
  const { provider_proof } = await claimsFor(service, { ...wanted(), ds_nonce: "of the app" });
  const { key: jwk, statement } = provider_proof as { key: object; statement: string };
  expect(Object.keys(jwk).sort()).toEqual(["crv", "kty", "x", "y"]);
  expect(decodeProtectedHeader(statement)).toMatchObject({ typ: "domain-provider-statement+jwt" });
  const claims = decodeJwt(statement);
  expect(claims).toEqual({
    ...{ typ: "domain-provider-statement", v: 1, domain: DOMAIN, aud: APP.id },
    acct: expect.stringMatching(/^[\w-]{22}$/),
    ...{ redirect_uri: APP.redirectUri, svc: host.origin, sp: at.issuer },
    ...{ cch: ofApp.challenge, nonce: "of the app" },
    ...{ iat: expect.any(Number), exp: (claims.iat ?? 0) + 3600 },
    jti: expect.stringMatching(/^[\w-]{22}$/),
  });
});

/** Takes the keys of the provider out of the domain's record. Returns what the record was. */
function withoutKey(domain: string): string {
  const name = `_domain-signin.${domain}`;
  const value = at.zone.records().find((record) => record.name === name)?.value ?? "";
  expect(value).toMatch(/ spk=[\w-]{43},[\w-]{43}$/);
  replaceRecord(at.zone, name, value.replace(/ spk=.*/, ""));
  return value;
}

describe("there is no proof", () => {
  test("for a service that did not ask for one", async () => {
    expect(await claimsFor(service, { ds_hop: "1" })).not.toHaveProperty("provider_proof");
  });

  test("for a service that cannot prove itself", async () => {
    const open = serveClient(host, "/federation/public-client/h", { issuer: host.origin });
    const claims = await claimsFor(open, wanted(), { isProven: false });
    expect(claims).not.toHaveProperty("provider_proof");
  });

  test("for a client that is no service: to it the parameters are unknown", async () => {
    const more = { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [key.jwk] } };
    const plain = serveClient(host, "/plain", more);
    const claims = await claimsFor(plain, { ...wanted(), ds_redirect_uri: "javascript:1" });
    expect(claims).not.toHaveProperty("provider_proof");
  });

  test("by a key that the record does not list; the record is good all the same", async () => {
    const value = withoutKey(DOMAIN);
    advance(600);
    expect(await claimsFor(service, wanted())).not.toHaveProperty("provider_proof");
    replaceRecord(at.zone, `_domain-signin.${DOMAIN}`, value);
  });
});

test("a record without the key finishes the set-up, too", async () => {
  const setUp = await at.begin({ domain: "bob.test" });
  at.publish(setUp);
  withoutKey("bob.test");
  const { page } = await checkAndSave(at.agent, setUp, { stopAt: at.client.redirectUri });
  expect(hasCode(page)).toBe(true);
});

describe("the pages name both hosts:", () => {
  const sentence = () =>
    `${new URL(host.origin).host} says that this sign-in is for final.example.org.`;
  const textOf = (html: string) => html.replace(/<[^>]+>/g, "");

  test("domain, set-up, challenge, consent, continue", async () => {
    const agent = createUserAgent();
    const [domain, stopAt] = ["bob.test", service.redirectUri];
    replaceRecord(at.zone, `_domain-signin.${domain}`, null);
    advance(600);
    const seen: string[] = [];
    for (const forgotten of ["all", "session", "nothing"]) {
      if (forgotten === "session") leaveSessions(agent, at.issuer);
      const parameters = { ...pkceParameters(pkce()), ...wanted() };
      let page = await agent.open(authorizationUrl(at, service, parameters), { stopAt });
      while (!page.stopped && seen.length < 20) {
        expect(textOf(page.html), page.step).toContain(sentence());
        seen.push(page.step ?? "?");
        page = await answerPage(at, agent, page, { domain, stopAt });
      }
    }
    expect(new Set(seen)).toEqual(
      new Set(["domain", "dns-setup", "recovery-codes", "consent", "dns-challenge", "continue"]),
    );
  });
});

describe("a request with the mark of a hop", () => {
  test("goes no further: a record that names another service gets a page that says so", async () => {
    const value = `v=dsi1 sp=http://localhost:1 acct=${"a".repeat(22)}`;
    replaceRecord(at.zone, "_domain-signin.bob.test", value);
    advance(600);
    const parameters = { ...pkceParameters(pkce()), ...wanted() };
    const page = await at.begin({ client: service, domain: "bob.test", parameters });
    expect([page.status, page.step]).toEqual([422, "domain"]);
    expect(page.html).toContain("names another service: localhost:1");
    expect(page.html).toContain("two services point at each other");
  });
});

test.each<[string, Record<string, string>]>([
  ["ds_aud is missing", { ds_aud: "" }],
  ["ds_aud must be", { ds_aud: "é" }],
  ["ds_aud must be", { ds_aud: "x".repeat(2049) }],
  ["ds_redirect_uri is missing", { ds_redirect_uri: "" }],
  ["ds_redirect_uri uses a private-use scheme", { ds_redirect_uri: "javascript:alert(1)" }],
  ["ds_redirect_uri uses a private-use scheme", { ds_redirect_uri: "app:/cb" }],
  ["ds_redirect_uri has a fragment", { ds_redirect_uri: "https://final.example.org/#x" }],
  ["ds_cch or ds_nonce is missing", { ds_cch: "" }],
  ["ds_cch must be", { ds_cch: "A".repeat(42) }],
  ["ds_nonce is longer than 2,048 bytes", { ds_nonce: "é".repeat(1025) }],
])("%s: %o is refused before anything is signed", async (words, changes) => {
  const parameters = { ...pkceParameters(pkce()), ...wanted(), ...changes };
  const answer = await fetch(authorizationUrl(at, service, parameters), { redirect: "manual" });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain(words);
});

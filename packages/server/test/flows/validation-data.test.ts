// validation_data as a client gets it from the real service, judged by the package that apps verify with.

import { createHash } from "node:crypto";
import { verifyValidationData } from "domain-signin-verify";
import { beforeAll, describe, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import type { TestClient } from "../support/service.ts";
import { redemption, refresh, revoke, signIn } from "../support/sign-in.ts";
import {
  dataAt,
  expectationsOf,
  judged,
  type Received,
  readAttestation,
  signInForData,
} from "../support/validation-data.ts";

const at = flow({ client: "file", registration: { consent: "never", scope: "openid profile" } });
let client: TestClient;
let received: Received;
beforeAll(async () => {
  client = at.client;
  received = await signInForData(at, client);
});

const NONCE = "a nonce of this very request";
const hash = (text: string) => createHash("sha256").update(text).digest();
const atHash = (token: string) => hash(token).subarray(0, 16).toString("base64url");
const userinfo = async ({ accessToken }: Received) => {
  const response = await at.userinfo(accessToken);
  return (await response.json()) as { sub: string; domain_since: number };
};

describe("the token response of a code", () => {
  test("carries validation_data that proves the domain to the client that asked", async () => {
    const { sub } = await userinfo(received);
    const known = await expectationsOf(at, client, received);
    const proven = await verifyValidationData(received.data, known);
    const { claims } = readAttestation(received.data);
    expect(proven).toEqual({
      domain: "alice.test",
      how: "attestation",
      sp: at.issuer,
      acct: expect.stringMatching(/^[\w-]{22}$/),
      sub,
      assurance: "single",
      authTime: claims.auth_time,
      amr: ["dns"],
      method: "dns",
      jti: claims.jti,
      domainSince: claims.domain_since,
      until: claims.exp,
    });
  });

  test("attests what was checked, for whom, and nothing else", async () => {
    const { sub, domain_since } = await userinfo(received);
    const { header, claims } = readAttestation(received.data);
    expect(header).toEqual({ alg: "ES256", typ: "domain-attestation+jwt", kid: expect.anything() });
    const record = at.zone.records().find(({ name }) => name.includes("alice.test"))?.value;
    const { verifier } = received.signIn;
    expect(claims).toEqual({
      ...{ iss: at.issuer, aud: client.id, sub, domain: "alice.test", domain_since },
      ...{ iat: expect.any(Number), exp: claims.iat + 600, auth_time: expect.any(Number) },
      jti: expect.stringMatching(/^[\w-]{22}$/),
      ...{ amr: ["dns"], method: "dns", sp: at.issuer },
      acct: /acct=([\w-]+)/.exec(record ?? "")?.[1],
      redirect_uri: client.redirectUri,
      cch: hash(verifier).toString("base64url"),
      at_hash: atHash(received.accessToken),
      dns: { status: "single", record, checked_at: expect.any(Number), resolvers: 1 },
    });
    expect(claims.dns.checked_at).toBeLessThanOrEqual(claims.iat);
    expect(claims.auth_time).toBeLessThanOrEqual(claims.iat);
    expect(Object.keys(received.data as object)).toEqual(["v", "domain", "attestation"]);
  });

  test("names the domain as the subject where userinfo does", async () => {
    const insisting = await at.addClient({ consent: "never", subject_type: "domain" });
    const { data } = await signInForData(at, insisting);
    expect(readAttestation(data).claims.sub).toBe("alice.test");
  });

  test("is bound by the nonce where there was no PKCE, and by both where there was", async () => {
    const parameters = { nonce: NONCE };
    const bare = await signInForData(at, client, { parameters, withPkce: false });
    const { codeVerifier: _, ...known } = await expectationsOf(at, client, bare);
    expect(await judged(bare.data, { ...known, nonce: NONCE })).toBe("good");
    expect(await judged(bare.data, { ...known, nonce: "another" })).toBe("wrong_request");
    expect(readAttestation(bare.data).claims).not.toHaveProperty("cch");

    const both = await signInForData(at, client, { parameters });
    const all = { ...(await expectationsOf(at, client, both)), nonce: NONCE };
    expect(await judged(both.data, all)).toBe("good");
    expect(await judged(both.data, { ...all, nonce: "another" })).toBe("wrong_request");
  });

  test("is attested without PKCE and nonce too, but to no request: the verifier refuses it", async () => {
    const loose = await signInForData(at, client, { withPkce: false });
    const { codeVerifier: _, ...known } = await expectationsOf(at, client, loose);
    const { claims } = readAttestation(loose.data);
    expect([claims.aud, claims.cch, claims.nonce]).toEqual([client.id, undefined, undefined]);
    expect(await judged(loose.data, { ...known, nonce: NONCE })).toBe("wrong_request");
    const codeVerifier = received.signIn.verifier;
    expect(await judged(loose.data, { ...known, codeVerifier })).toBe("wrong_request");
  });

  test.each([
    ["another client", { clientId: "dsid_another" }, "wrong_audience"],
    ["another redirect_uri", { redirectUri: "https://a.example/cb" }, "wrong_redirect_uri"],
    ["another sign-in's verifier", { codeVerifier: "v".repeat(43) }, "wrong_request"],
    ["another issuer", { issuer: "https://auth.example.com" }, "wrong_issuer"],
    ["another access token", { accessToken: "dsa_another" }, "wrong_access_token"],
    ["another service's keys", { jwks: { keys: [] } }, "no_such_key"],
    ["an hour later", { now: Date.now() / 1000 + 3600 }, "expired"],
    ["its own", {}, "good"],
  ])("is judged against %s: %o gives %s", async (_, changes, outcome) => {
    const known = await expectationsOf(at, client, received);
    expect(await judged(received.data, { ...known, ...changes })).toBe(outcome);
  });

  test("with another domain in it is refused", async () => {
    const known = await expectationsOf(at, client, received);
    const data = { ...(received.data as object), domain: "bob.test" };
    expect(await judged(data, known)).toBe("wrong_domain");
  });

  test("goes to one of two that redeem the code at once", async () => {
    const done = await signIn(at, client);
    const answers = await Promise.all([1, 2].map(() => at.token(redemption(client, done), client)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(answers.map(({ body }) => "validation_data" in body).sort()).toEqual([false, true]);
  });

  test("is no part of the response to a refresh, nor of its retry", async () => {
    const { refreshToken } = await signInForData(at, client);
    for (let times = 0; times < 2; times++) {
      const { status, body } = await at.token(refresh(refreshToken), client);
      const members = ["access_token", "token_type", "expires_in", "refresh_token", "scope"];
      expect([status, Object.keys(body)]).toEqual([200, members]);
    }
  });

  test("is absent for a client that does not want it, and nothing is kept", async () => {
    const plain = await at.addClient({ consent: "never", validation_data: false });
    at.statements.length = 0;
    const { data, accessToken } = await signInForData(at, plain);
    expect(data).toBeUndefined();
    expect((await dataAt(at, accessToken)).status).toBe(404);
    expect(at.statements.filter((sql) => sql.startsWith("INSERT INTO evidence"))).toEqual([]);
  });

  test("is absent once the client is changed so, also for codes of before", async () => {
    const changing = await at.addClient({ consent: "never" });
    const done = await signIn(at, changing);
    const { accessToken } = await signInForData(at, changing);
    expect((await dataAt(at, accessToken)).status).toBe(200);
    await at.service.clients.update(changing.id, { validation_data: false });
    at.advance(5);
    const { status, body } = await at.token(redemption(changing, done), changing);
    expect([status, body.validation_data]).toEqual([200, undefined]);
    expect((await dataAt(at, accessToken)).status).toBe(404);
  });
});

describe("GET /oauth/validation_data", () => {
  test("answers the same facts with an attestation of its own, for the token presented", async () => {
    const first = await signInForData(at, client, { parameters: { nonce: NONCE } });
    const refreshed = await at.token(refresh(first.refreshToken), client);
    for (const accessToken of [first.accessToken, String(refreshed.body.access_token)]) {
      const response = await dataAt(at, accessToken);
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      const data = await response.json();
      const expected = await expectationsOf(at, client, { ...first, accessToken });
      const known = { ...expected, nonce: NONCE };
      expect(await judged(data, known)).toBe("good");
      const [fresh, sent] = [data, first.data].map((each) => readAttestation(each).claims);
      const own = { iat: fresh.iat, exp: fresh.exp, jti: fresh.jti, at_hash: atHash(accessToken) };
      expect(fresh).toEqual({ ...sent, ...own });
      expect(fresh.jti).not.toBe(sent.jti);
    }
  });

  test("needs no scope", async () => {
    const { accessToken } = await signInForData(at, client, { parameters: { scope: "profile" } });
    expect((await dataAt(at, accessToken)).status).toBe(200);
  });

  test("answers 404 in JSON 25 minutes after the code was issued, not before", async () => {
    const { accessToken } = await signInForData(at, client);
    at.advance(1490);
    expect((await dataAt(at, accessToken)).status).toBe(200);
    at.advance(11);
    const gone = await dataAt(at, accessToken);
    const body = { error: "not_found", error_description: expect.any(String) };
    expect([gone.status, await gone.json()]).toEqual([404, body]);
    expect(gone.headers.get("cache-control")).toBe("no-store");
  });

  test("answers 401 without a token, to one that is none, expired or revoked", async () => {
    const { accessToken } = await signInForData(at, client);
    const none = await fetch(`${at.issuer}/oauth/validation_data`);
    const realm = 'Bearer realm="domain-signin"';
    expect([none.status, none.headers.get("www-authenticate")]).toEqual([401, realm]);
    expect((await dataAt(at, accessToken)).status).toBe(200);
    expect((await revoke(at, client, accessToken)).status).toBe(200);
    const responses = [await dataAt(at, "dsa_x"), await dataAt(at, accessToken)];
    const expired = await signInForData(at, client);
    at.advance(3601);
    responses.push(await dataAt(at, expired.accessToken));
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: "invalid_token" });
    }
  });
});

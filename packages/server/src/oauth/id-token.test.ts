// Tests of the ID token, whose signature another library verifies.

import { createHash } from "node:crypto";
import { compactVerify, importJWK } from "jose";
import { describe, expect, it } from "vitest";
import { readClient } from "../clients/client.ts";
import { type ClientRegistrationInput, makeClient } from "../clients/client-registration.ts";
import type { Keyring } from "../keys/keyring.ts";
import {
  makeSigningKey,
  publicJwkOf,
  readSigningKey,
  type SigningAlg,
  type SigningKey,
} from "../keys/signing-key.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { Grant } from "../store/grant-row.ts";
import { accessTokenHash, createStatements, type IdTokenInput } from "./statements.ts";

const NOW = 1_900_000_000;
const clock = clockFrom(() => NOW * 1000);
const ISSUER = "https://auth.example.com";

const keys: Record<string, SigningKey> = {};
for (const alg of ["ES256", "RS256", "EdDSA"] as const) {
  keys[alg.toLowerCase()] = readSigningKey(await makeSigningKey(alg), 0);
}
const keyring: Pick<Keyring, "signingKeyAt"> = {
  signingKeyAt(purpose) {
    const key = keys[purpose];
    if (key === undefined) throw new Error(`no ${purpose}`);
    return key;
  },
};

const grant: Grant = {
  ...{ id: "g", clientId: "dsid_app", accountId: "sub_1", redirectUri: "https://app.example.org/" },
  ...{ scope: "openid", codeChallenge: null, nonce: null, authTime: NOW - 60 },
  ...{ amr: "dns", createdAt: NOW - 50, codeExpiresAt: NOW + 550, generation: 1 },
  ...{ rotatedAt: NOW, refreshExpiresAt: NOW + 9, expiresAt: NOW + 99 },
  ...{ controlCheckedAt: NOW - 60, revokedAt: null, attempt: null, resources: null },
  ...{ undelivered: null, redeliveredAt: null, sid: null, claims: null },
};
const owner = { domain: "alice.test", domain_since: NOW - 99, acct: "m3Zk0bq2vS1nF9o7b0uHqg" };

function rowWith(settings: Partial<ClientRegistrationInput> = {}) {
  const input = { name: "App", redirect_uris: ["https://app.example.org/"], ...settings };
  return makeClient(input, { random: systemRandom, clock }).row;
}
const clientWith = (...settings: Parameters<typeof rowWith>) => readClient(rowWith(...settings));

async function claimsOf(changes: Partial<IdTokenInput> = {}) {
  const identified = { owner, grant, client: clientWith(), accessToken: "dsa_x", ...changes };
  const deps = { issuer: ISSUER, clock, keyring: keyring as Keyring, random: systemRandom };
  const text = await createStatements(deps).idToken(identified);
  const { id_token_signed_response_alg: alg } = identified.client;
  const key = Object.values(keys).find((one) => one.alg === alg);
  if (key === undefined) throw new Error(`no key of ${alg}`);
  const publicKey = await importJWK({ ...publicJwkOf(key.privateKey) });
  const { payload, protectedHeader } = await compactVerify(text, publicKey);
  expect(protectedHeader).toEqual({ alg, typ: "JWT", kid: key.kid });
  return JSON.parse(new TextDecoder().decode(payload));
}

describe("an ID token", () => {
  it("holds these claims and no other (OIDC Core §2)", async () => {
    expect(await claimsOf()).toEqual({
      ...{ iss: ISSUER, sub: "sub_1", aud: "dsid_app", iat: NOW, exp: NOW + 600 },
      ...{ auth_time: NOW - 60, at_hash: accessTokenHash("dsa_x", "RS256"), amr: ["dns"] },
      ...{ acr: "urn:domain-signin:dns", ...owner },
    });
  });

  it("repeats the nonce of the request, where there was one", async () => {
    const claims = await claimsOf({ grant: { ...grant, nonce: "n-0S6_WzA2Mj" } });
    expect(claims.nonce).toBe("n-0S6_WzA2Mj");
  });

  it("names each way of a sign-in by several", async () => {
    expect((await claimsOf({ grant: { ...grant, amr: "dns hwk" } })).amr).toEqual(["dns", "hwk"]);
  });

  it("says that a sign-in with a passkey is resistant to phishing", async () => {
    expect((await claimsOf({ grant: { ...grant, amr: "pop user" } })).acr).toBe("phr");
  });

  it("has the claims of profile that the request named for it, and no others (OIDC Core §5.5)", async () => {
    const claims = await claimsOf({ owner: { ...owner, claims: ["name", "website"] } });
    expect(claims).toMatchObject({ name: owner.domain, website: `https://${owner.domain}/` });
    expect(claims).not.toHaveProperty("preferred_username");
    expect(claims).not.toHaveProperty("claims");
  });

  it("names the domain to a client that insists", async () => {
    const claims = await claimsOf({ client: clientWith({ subject_type: "domain" }) });
    expect(claims.sub).toBe("alice.test");
  });

  it("carries the proofs for the app of a service", async () => {
    const proofs = { provider_proof: { key: { kty: "EC" }, statement: "a.b.c" } };
    expect(await claimsOf({ proofs })).toMatchObject(proofs);
  });

  it.each<[SigningAlg, string]>([
    ["RS256", "sha256"],
    ["ES256", "sha256"],
    ["EdDSA", "sha512"],
  ])("is signed with %s for a client that wants it, as its at_hash is made", async (alg, hash) => {
    const claims = await claimsOf({ client: clientWith({ id_token_signed_response_alg: alg }) });
    const octets = createHash(hash).update("dsa_x").digest();
    const half = octets.subarray(0, octets.length / 2).toString("base64url");
    expect(claims.at_hash).toBe(half);
  });
});

it("the hash of an access token is that of OIDC Core, appendix A.3", () => {
  const token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
  expect(accessTokenHash(token, "RS256")).toBe("77QmUPtjPfzWtF2AnpK9RQ");
});

it("a client that is older than the setting gets RS256", () => {
  const row = rowWith();
  const { id_token_signed_response_alg: _, ...before } = JSON.parse(row.registration);
  const client = readClient({ ...row, registration: JSON.stringify(before) });
  expect(client.id_token_signed_response_alg).toBe("RS256");
});

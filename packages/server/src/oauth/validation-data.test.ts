// Tests of validation_data with the package that apps verify it with, including a signed zone.

import { createHash } from "node:crypto";
import { type VerificationOptions, verifyValidationData } from "domain-signin-verify";
import { verifyChain } from "domain-signin-verify/dnssec/chain";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { goodChain, makeWorld, type World } from "../../../verify/test/support/world.ts";
import { ownRecord, someLook } from "../../test/support/some-look.ts";
import { readClient } from "../clients/client.ts";
import { makeClient } from "../clients/client-registration.ts";
import type { Keyring } from "../keys/keyring.ts";
import { makeSigningKey, publicJwkOf, readSigningKey } from "../keys/signing-key.ts";
import { clockFrom } from "../lib/clock.ts";
import { systemRandom } from "../lib/random.ts";
import type { Grant } from "../store/grant-row.ts";
import type { StatementFor } from "./authorization-request.ts";
import { evidenceOf, type PassedOn } from "./control-evidence.ts";
import { type AttestationInput, createStatements } from "./statements.ts";

/** A time in the middle of the validity of the signed zones. */
const NOW = 1_900_000_000;
const ISSUER = "https://auth.example.com";
const ACCT = "m3Zk0bq2vS1nF9o7b0uHqg";
const REDIRECT_URI = "https://app.example.org/callback";
const VERIFIER = "a-code-verifier-of-this-very-browser-session";
const ACCESS_TOKEN = "dsa_an-access-token";

const clock = clockFrom(() => NOW * 1000);
const key = readSigningKey(await makeSigningKey("ES256"), 0);
const statementKey = readSigningKey(await makeSigningKey("ES256"), 0);
const keyring = {
  signingKeyAt: () => key,
  statementKeyFor: (spk) => (spk.includes(statementKey.kid) ? statementKey : null),
} as Partial<Keyring> as Keyring;
const deps = { issuer: ISSUER, keyring, clock, random: systemRandom };
const { validationData } = createStatements(deps);
const jwks = { keys: [publicJwkOf(key.privateKey)] };

const { row } = makeClient(
  { name: "App", redirect_uris: [REDIRECT_URI] },
  { random: systemRandom, clock },
);
const client = readClient(row);

let world: World;
let dnssec: { chain: Uint8Array; notBefore: number; notAfter: number };
beforeAll(async () => {
  world = await makeWorld();
  const chain = await goodChain(world);
  const { notBefore, notAfter } = await verifyChain(chain, world.request);
  dnssec = { chain, notBefore, notAfter };
});

const grant: Grant = {
  ...{ id: "g", clientId: client.client_id, accountId: "sub_1", redirectUri: REDIRECT_URI },
  ...{ scope: "openid", codeChallenge: challengeOf(VERIFIER), nonce: null, authTime: NOW - 60 },
  ...{ amr: "dns", createdAt: NOW - 50, codeExpiresAt: NOW + 550, generation: 1 },
  ...{ rotatedAt: NOW, refreshExpiresAt: NOW + 9, expiresAt: NOW + 99 },
  ...{ controlCheckedAt: NOW - 60, nonce: null, revokedAt: null, attempt: null, resources: null },
  ...{ undelivered: null, redeliveredAt: null, sid: null, claims: null },
};

/** validation_data for evidence that was serialized to JSON and parsed again, as the store does. */
function sent(
  changes: Partial<AttestationInput> & {
    proof?: typeof dnssec | null;
    spk?: readonly string[];
    passedOn?: PassedOn;
    statementFor?: StatementFor;
  } = {},
) {
  const { proof = dnssec, spk = [], passedOn = null, statementFor = null, ...more } = changes;
  const account = {
    ...{ id: "sub_1", domain: "alice.test", sp: "", acct: ACCT, createdAt: NOW - 9000 },
    ...{ asleepSince: null, lostConfirmedAt: null, endedAt: null, walkedAt: null },
  };
  const look = someLook(
    { ...ownRecord(ACCT), spk },
    {
      ...{ assurance: "secure", checkedAt: NOW - 55, resolvers: 2, proof },
      records: [{ value: `v=dsi1 sp=${ISSUER} acct=${ACCT}`, problems: [] }],
    },
  );
  const evidence = evidenceOf(look, {
    ...{ account, issuer: ISSUER, redirectUri: REDIRECT_URI, controlCheckedAt: NOW - 60 },
    ...{ nonce: null, sid: "sid", passedOn, statementFor },
  });
  const attested = { evidence: JSON.parse(JSON.stringify(evidence)), grant, client };
  return validationData({ ...attested, accessToken: ACCESS_TOKEN, ...more });
}

const options = {
  ...{ clientId: client.client_id, redirectUri: REDIRECT_URI, issuer: ISSUER, jwks, now: NOW },
  ...{ accessToken: ACCESS_TOKEN, require: "attestation" as const },
};

describe("validation_data", () => {
  test("passes the verifier, and says who, where and until when", async () => {
    const expected: VerificationOptions = { ...options, codeVerifier: VERIFIER };
    const data = sent();
    expect(await verifyValidationData(data, expected)).toEqual({
      ...{ domain: "alice.test", how: "attestation", sp: ISSUER, acct: ACCT, sub: "sub_1" },
      ...{ assurance: "secure", authTime: NOW - 60, amr: ["dns"], method: "dns" },
      jti: decodeJwt(data.attestation).jti,
      domainSince: NOW - 9000,
      until: NOW + 600,
    });
  });

  test("holds the chain with which the zone itself can be verified", async () => {
    const part = sent().dnssec;
    expect(part).toEqual({
      ...{ name: "_domain-signin.alice.test.", type: "TXT", chain: expect.any(String) },
      ...{ not_before: dnssec.notBefore, not_after: dnssec.notAfter },
    });
    const chain = new Uint8Array(Buffer.from(part?.chain ?? "", "base64url"));
    const { name, type, trustAnchors = [] } = world.request;
    const verified = await verifyChain(chain, { name, type, trustAnchors, now: NOW });
    expect(verified.values.map((rdata) => Buffer.from(rdata).toString("latin1"))).toEqual([
      "\x0ev=dsi1 sp=none",
    ]);
  });

  test("has no chain for a zone that is not signed, or whose signatures have ended since", () => {
    expect(sent({ proof: null })).not.toHaveProperty("dnssec");
    expect(sent({ proof: { ...dnssec, notAfter: NOW } })).not.toHaveProperty("dnssec");
    expect(sent({ proof: { ...dnssec, notAfter: NOW + 1 } })).toHaveProperty("dnssec");
  });

  test("has the proofs that an external SP sent along, only with the chain that they need", () => {
    const owner_proof = { kind: "jws", key: {}, jws: "a.b.c" } as const;
    const provider_proof = { statement: "a.b.c", key: {} };
    const passedOn = { owner_proof, provider_proof };
    const spk = [statementKey.kid];
    expect(sent({ passedOn, spk })).toMatchObject(passedOn);
    expect(Object.keys(sent({ passedOn, proof: null }))).not.toContain("owner_proof");
    expect(Object.keys(sent({ passedOn, proof: null }))).not.toContain("provider_proof");
  });

  test("has our statement about this very request, by a key that the record lists", () => {
    const spk = ["another", statementKey.kid];
    const { statement = "", key: jwk } = sent({ spk }).provider_proof ?? {};
    const { client_id: aud } = client;
    expect(decodeJwt(statement)).toMatchObject({
      ...{ typ: "domain-provider-statement", aud, redirect_uri: REDIRECT_URI },
      ...{ cch: challengeOf(VERIFIER), svc: ISSUER, sp: ISSUER, acct: ACCT },
    });
    expect(decodeJwt(statement)).not.toHaveProperty("nonce");
    expect(jwk).toMatchObject({ kty: "EC", x: expect.any(String) });
    const byNonce = { ...grant, codeChallenge: null, nonce: "n-1" };
    const { provider_proof } = sent({ spk, grant: byNonce });
    expect(decodeJwt(provider_proof?.statement ?? "").nonce).toBe("n-1");
    const unbound = { ...grant, codeChallenge: null };
    expect(sent({ spk, grant: unbound })).not.toHaveProperty("provider_proof");
  });

  test("has no second statement for a service that got one for its app", () => {
    const statementFor = { aud: "app", redirect_uri: REDIRECT_URI, nonce: "n" };
    const data = sent({ spk: [statementKey.kid], statementFor });
    expect(data).toHaveProperty("dnssec");
    expect(data).not.toHaveProperty("provider_proof");
  });

  test("has the members of the design and no other", () => {
    expect(Object.keys(sent())).toEqual(["v", "domain", "attestation", "dnssec"]);
  });
});

describe("the attestation", () => {
  test("claims what it should, and nothing else", () => {
    const { attestation } = sent();
    const header = { alg: "ES256", typ: "domain-attestation+jwt", kid: key.kid };
    expect(decodeProtectedHeader(attestation)).toEqual(header);
    expect(decodeJwt(attestation)).toEqual({
      ...{ iss: ISSUER, aud: client.client_id, sub: "sub_1" },
      ...{ domain: "alice.test", domain_since: NOW - 9000, iat: NOW, exp: NOW + 600 },
      ...{ jti: expect.stringMatching(/^[\w-]{22}$/), auth_time: NOW - 60 },
      ...{ amr: ["dns"], method: "dns", sp: ISSUER, acct: ACCT, redirect_uri: REDIRECT_URI },
      cch: challengeOf(VERIFIER),
      at_hash: atHash(ACCESS_TOKEN),
      dns: {
        ...{ status: "secure", record: `v=dsi1 sp=${ISSUER} acct=${ACCT}` },
        ...{ checked_at: NOW - 55, resolvers: 2 },
      },
    });
  });

  test("is another one each time", () => {
    const [one, other] = [sent(), sent()].map(({ attestation }) => decodeJwt(attestation).jti);
    expect(one).not.toBe(other);
  });

  test("names the nonce if the request had one, and no cch without PKCE", async () => {
    const bare = { ...grant, codeChallenge: null };
    const claims = decodeJwt(sent({ grant: bare }).attestation);
    expect(Object.keys(claims).filter((name) => ["cch", "nonce"].includes(name))).toEqual([]);
    const data = sent({ grant: { ...bare, nonce: "n-1" } });
    const proven = await verifyValidationData(data, { ...options, nonce: "n-1" });
    expect(proven.domain).toBe("alice.test");
  });

  test("names the domain to a client of subject_type domain", () => {
    const data = sent({ client: { ...client, subject_type: "domain" } });
    expect(decodeJwt(data.attestation).sub).toBe("alice.test");
  });

  test("does not call a method that it does not know by the name of another", () => {
    const claims = decodeJwt(sent({ grant: { ...grant, amr: "hwk user" } }).attestation);
    expect([claims.amr, claims.method]).toEqual([["hwk", "user"], "other"]);
    const external = decodeJwt(sent({ grant: { ...grant, amr: "external" } }).attestation);
    expect(external.method).toBe("external");
  });
});

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

function atHash(accessToken: string): string {
  return createHash("sha256").update(accessToken).digest().subarray(0, 16).toString("base64url");
}

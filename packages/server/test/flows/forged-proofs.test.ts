// What a service, a stranger or an owner could claim without being entitled to: each is refused, or proves less.

import { type ValidationData, verifyValidationData } from "domain-signin-verify";
import { SignJWT } from "jose";
import { beforeAll, expect, test } from "vitest";
import { sealWith } from "../../src/keys/seal.ts";
import { readSigningKey, type SigningKey } from "../../src/keys/signing-key.ts";
import { openKeys } from "../../src/keys/stored-keys.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { fixture } from "../support/fixture.ts";
import { claimsOf, flow } from "../support/flow.ts";
import { makeKeyPair } from "../support/key-pair.ts";
import { startTestService, TEST_SECRET } from "../support/service.ts";
import { startSignedZones } from "../support/signed-zones.ts";
import {
  expectationsOf,
  judged,
  type Received,
  signInForData,
} from "../support/validation-data.ts";

type Zones = Awaited<ReturnType<typeof startSignedZones>>;
const zones: Zones = fixture(() => startSignedZones(() => at.zone.records()));
const at = flow({ start: () => startTestService({ config: zones.config }), client: "file" });
/** A sign-in at this service as alice.test. */
let received: Received;
beforeAll(async () => {
  received = await signInForData(at, at.client, { domain: "alice.test" });
});

const options = async () => {
  const { jwks, accessToken: _, ...request } = await expectationsOf(at, at.client, received);
  return { jwks, request: { ...request, trustAnchors: zones.trustAnchors } };
};

/** All signing keys in the database of the service, as its operator can open them. */
async function keysOfOperator(): Promise<readonly SigningKey[]> {
  const seal = sealWith(TEST_SECRET, systemRandom);
  const rows = await at.store.keys.readKeys();
  const signing = rows.filter(({ purpose }) => purpose !== "grant-token");
  return openKeys(signing, seal).map(({ plain }) => readSigningKey(plain, 0));
}

/** A statement as the owner, made by an operator with nobody present. */
async function ownerProofBy(key: SigningKey) {
  const { redirectUri, issuer, codeVerifier } = (await options()).request;
  const [record] = at.zone.records();
  const acct = /(?<=acct=)[\w-]+/.exec(record?.value ?? "")?.[0];
  const digest = Buffer.from(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier)),
  );
  const iat = Math.floor(Date.now() / 1000);
  const said = {
    typ: "domain-owner-statement",
    v: 1,
    domain: "alice.test",
    acct,
    aud: at.client.id,
    redirect_uri: redirectUri,
    svc: issuer,
    sp: issuer,
    cch: digest.toString("base64url"),
    iat,
    exp: iat + 3600,
    jti: "made up",
  };
  const header = { alg: key.alg, typ: "domain-owner-statement+jwt" };
  const jws = await new SignJWT(said).setProtectedHeader(header).sign(key.privateKey);
  const { kid: _, use: __, alg: ___, ...jwk } = key.jwk;
  return { kind: "jws", key: jwk, jws };
}

test("a service with nobody present cannot sign as the owner of a domain that signs in there", async () => {
  const { request } = await options();
  const keys = await keysOfOperator();
  expect(keys.length).toBeGreaterThan(4);
  for (const key of keys) {
    const owner_proof = await ownerProofBy(key);
    const forged = { ...(received.data as object), owner_proof };
    expect(await judged(forged, { ...request, require: "owner_proof" })).toBe("key_not_in_record");
  }
});

test("a service cannot attest, with any sub, a domain whose record names another provider", async () => {
  const { jwks: _, request } = await options();
  const evil = "http://localhost:1";
  const { privateKey, publicKey } = makeKeyPair("ec");
  const data = received.data as ValidationData;
  const claims = claimsOf(data.attestation);
  const attestation = await new SignJWT({ ...claims, iss: evil, sub: "sub_of_their_choice" })
    .setProtectedHeader({ alg: "ES256", typ: "domain-attestation+jwt", kid: "e" })
    .sign(privateKey);
  const forged = { v: 1, domain: data.domain, attestation, dnssec: data.dnssec };
  const jwks = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "e" }] };
  const expected = { ...request, issuer: evil, jwks, require: "attestation_and_dnssec" } as const;
  expect(await judged(forged, expected)).toBe("wrong_service_provider");
  // An app that allows federation trusts this service for all domains, and says so.
  const proven = await verifyValidationData(forged, { ...expected, allowFederation: true });
  expect(proven).toMatchObject({ sub: "sub_of_their_choice", sp: at.issuer });
});

test("the service can state alone that its account signed in: a provider proof says whose word it is", async () => {
  const { request } = await options();
  const proven = await verifyValidationData(received.data, {
    ...request,
    require: "provider_proof",
  });
  const kids = (await keysOfOperator()).map(({ kid }) => kid);
  expect(proven.how).toBe("provider_proof");
  expect(kids).toContain(proven.spk);
});

// Proofs that an external SP sends along: valid ones reach the app, and a bad one costs the sign-in nothing else.

import { createHash, type KeyObject, randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { type BentSp, type Json, provingDomains } from "../../support/bent-sp.ts";
import { federation, recordOf } from "../../support/federated.ts";
import { fixture } from "../../support/fixture.ts";
import { makeKeyPair } from "../../support/key-pair.ts";
import { startSignedZones } from "../../support/signed-zones.ts";
import { judged } from "../../support/validation-data.ts";

const zones: Awaited<ReturnType<typeof startSignedZones>> = fixture(() =>
  startSignedZones(() => world.test.zone.records()),
);
const world = federation(() => ({ config: zones.config }));

type Name = "provider_proof" | "owner_proof";
const TYP = {
  provider_proof: "domain-provider-statement",
  owner_proof: "domain-owner-statement",
} as const;

const ACCT = "k".repeat(22);
const keys = { provider_proof: makeKeyPair("ec"), owner_proof: makeKeyPair("ec") };
const stranger = makeKeyPair("ec");

const jwkOf = (key: KeyObject): Json => ({ ...key.export({ format: "jwk" }) });
function thumbprint(key: KeyObject): string {
  const { crv, kty, x, y } = jwkOf(key);
  return createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
}
const recordAt = (sp: BentSp) => {
  const { provider_proof, owner_proof } = keys;
  const spk = thumbprint(provider_proof.publicKey);
  return `${recordOf(sp.issuer, ACCT)} spk=${spk} jkt=${thumbprint(owner_proof.publicKey)}`;
};

interface Proof {
  readonly statement: Json;
  readonly header: Json;
  readonly key: Json;
  readonly signer: KeyObject;
}

/** Signs in at an SP that proves domains, with the proof changed; gives what the app receives. */
async function receive(
  name: Name,
  change: (right: Proof) => Partial<Proof>,
  after: (claim: Json) => unknown = (claim) => claim,
) {
  const sp = await world.sp({ metadata: provingDomains });
  const domain = world.newDomain();
  world.publish(domain, recordAt(sp));
  sp.bends.idToken = async (claims, sign) => {
    const right = rightProof(sp, domain, name);
    const { statement, header, key, signer } = { ...right, ...change(right) };
    const signing = new SignJWT(statement).setProtectedHeader({ alg: "ES256", ...header });
    const jws = await signing.sign(signer);
    const claim = name === "owner_proof" ? { kind: "jws", key, jws } : { statement: jws, key };
    return sign({ ...claims, domain, acct: ACCT, [name]: after(claim) });
  };
  const visited = await world.visit(domain);
  const { validation_data } = await world.tokensOf(visited);
  const data = validation_data as { readonly [part in Name | "dnssec"]?: unknown };
  return { sp, data, codeVerifier: visited.verifier };
}

/** What an honest SP makes of the request that it was sent. */
function rightProof(sp: BentSp, domain: string, name: Name): Proof {
  const asked = sp.asked("authorize").at(-1)?.url.searchParams;
  const iat = Math.floor(Date.now() / 1000);
  return {
    statement: {
      ...{ typ: TYP[name], v: 1, domain, acct: ACCT, sp: sp.issuer, svc: world.test.issuer },
      aud: asked?.get("ds_aud"),
      redirect_uri: asked?.get("ds_redirect_uri"),
      cch: asked?.get("ds_cch"),
      iat,
      exp: iat + 3600,
      jti: randomBytes(16).toString("base64url"),
    },
    header: { typ: `${TYP[name]}+jwt` },
    key: jwkOf(keys[name].publicKey),
    signer: keys[name].privateKey,
  };
}

const expected = (codeVerifier: string) => ({
  clientId: world.client.id,
  redirectUri: world.client.redirectUri,
  issuer: world.test.issuer,
  trustAnchors: zones.trustAnchors,
  codeVerifier,
});

const dropped = () => world.test.events.filter((line) => line.includes("a proof was dropped"));

const stated =
  (change: (right: Json) => Json) =>
  ({ statement }: Proof) => ({ statement: change(statement) });

describe.each<[Name]>([["provider_proof"], ["owner_proof"]])("%s", (name) => {
  test("reaches the app, which verifies it without trusting this service", async () => {
    const { data, codeVerifier } = await receive(name, () => ({}));
    expect(data[name]).toMatchObject({ key: jwkOf(keys[name].publicKey) });
    expect(await judged(data, { ...expected(codeVerifier), require: name })).toBe("good");
  });

  test("reaches the app without the private part of the key that the SP sends", async () => {
    const { data } = await receive(name, () => ({ key: jwkOf(keys[name].privateKey) }));
    expect(JSON.stringify(data)).not.toContain(jwkOf(keys[name].privateKey).d);
    expect(await world.test.dump()).not.toContain(jwkOf(keys[name].privateKey).d);
  });

  test.each<[string, (right: Proof) => Partial<Proof>, ((claim: Json) => unknown)?]>([
    ["for another domain", stated((right) => ({ ...right, domain: "bob.test" }))],
    ["for another account", stated((right) => ({ ...right, acct: "a".repeat(22) }))],
    ["for another app", stated((right) => ({ ...right, aud: "another client" }))],
    ["by another key under the listed one", () => ({ signer: stranger.privateKey })],
    ["without a signature", () => ({}), ({ key }) => ({ kind: "jws", key })],
    ["that is null", () => ({}), () => null],
  ])("%s does not reach the app, which gets the rest", async (_, change, after) => {
    const before = dropped().length;
    const { data } = await receive(name, change, after);
    expect(data[name]).toBeUndefined();
    expect(data).toHaveProperty("attestation");
    expect(data).toHaveProperty("dnssec");
    expect(dropped()).toHaveLength(before + 1);
  });
});

test("a statement of the provider that claims to be the owner's does not reach the app", async () => {
  const before = dropped().length;
  const { data } = await receive("owner_proof", () => ({
    key: jwkOf(keys.provider_proof.publicKey),
    signer: keys.provider_proof.privateKey,
  }));
  expect(data.owner_proof).toBeUndefined();
  expect(dropped().slice(before)).toEqual([expect.stringContaining("key_not_in_record")]);
});

test("an SP that does not declare to prove domains is neither asked for a proof nor believed one", async () => {
  const sp = await world.sp();
  const domain = world.newDomain();
  const spk = thumbprint(keys.provider_proof.publicKey);
  world.publish(domain, `${recordOf(sp.issuer, sp.acct(domain))} spk=${spk}`);
  sp.bends.claims = (right) => ({
    ...right,
    provider_proof: { key: {}, statement: "a.b.c" },
    owner_proof: { kind: "jws", key: {}, jws: "a.b.c" },
  });
  const { validation_data } = await world.tokensOf(await world.visit(domain));
  expect(validation_data).toHaveProperty("dnssec");
  expect(validation_data).not.toHaveProperty("provider_proof");
  expect(validation_data).not.toHaveProperty("owner_proof");
  const names = [...(sp.asked("authorize")[0]?.url.searchParams.keys() ?? [])];
  expect(names.filter((name) => name.startsWith("ds_"))).toEqual(["ds_hop"]);
});

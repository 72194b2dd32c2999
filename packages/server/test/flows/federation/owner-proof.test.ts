// Owner proofs of external SPs that are wrong: they are left out, and the sign-in is worth what it is without.

import { createHash, type KeyObject, randomBytes } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BentSp, Json } from "../../support/bent-sp.ts";
import {
  type FederatedWorld,
  recordOf,
  startFederatedWorld,
  tokensOf,
  visit,
} from "../../support/federated.ts";
import { makeKeyPair } from "../../support/key-pair.ts";

let world: FederatedWorld;
beforeAll(async () => {
  world = await startFederatedWorld();
});
afterAll(() => world.close());

const ACCT = "k".repeat(22);
const owner = makeKeyPair("ec");
const stranger = makeKeyPair("ec");

const jwkOf = (key: KeyObject): Json => ({ ...key.export({ format: "jwk" }) });
function thumbprint(key: KeyObject): string {
  const { crv, kty, x, y } = jwkOf(key);
  return createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
}

interface Proof {
  readonly statement: Json;
  readonly header: Json;
  readonly key: Json;
  readonly signer: KeyObject;
}

/** Signs in at an SP that proves domains, with the proof changed; gives what the app receives. */
async function receive(
  change: (right: Proof) => Partial<Proof>,
  after: (claim: Json) => unknown = (claim) => claim,
) {
  const sp = await world.sp({ metadata: (right) => ({ ...right, domain_signin_version: 1 }) });
  const domain = world.newDomain();
  world.publish(domain, `${recordOf(sp.issuer, ACCT)}; jkt=${thumbprint(owner.publicKey)}`);
  sp.bends.idToken = async (claims, sign) => {
    const right = rightProof(sp, domain);
    const { statement, header, key, signer } = { ...right, ...change(right) };
    const jws = await new SignJWT(statement)
      .setProtectedHeader({ alg: "ES256", ...header })
      .sign(signer);
    return sign({ ...claims, domain, acct: ACCT, owner_proof: after({ kind: "jws", key, jws }) });
  };
  const { validation_data } = await tokensOf(world, await visit(world, domain));
  return { sp, data: validation_data as { owner_proof?: unknown } };
}

/** What an honest SP makes of the request that it was sent. */
function rightProof(sp: BentSp, domain: string): Proof {
  const asked = sp.asked("authorize").at(-1)?.url.searchParams;
  const iat = Math.floor(Date.now() / 1000);
  return {
    statement: {
      ...{ typ: "domain-owner-statement", v: 1, domain, sp: sp.issuer, svc: world.test.issuer },
      ...{ aud: asked?.get("ds_aud"), redirect_uri: asked?.get("ds_redirect_uri") },
      cch: asked?.get("ds_cch"),
      ...{ iat, exp: iat + 3600, jti: randomBytes(16).toString("base64url") },
    },
    header: { typ: "domain-owner-statement+jwt" },
    key: jwkOf(owner.publicKey),
    signer: owner.privateKey,
  };
}

const dropped = () => world.test.events.filter((line) => line.includes("owner_proof was dropped"));

test("the right one is passed on, so that the tests below speak of something", async () => {
  const { data } = await receive(() => ({}));
  expect(data.owner_proof).toMatchObject({ kind: "jws", key: jwkOf(owner.publicKey) });
});

test("of a key that the SP sends with its private part, that part is not passed on", async () => {
  const { data } = await receive(() => ({ key: jwkOf(owner.privateKey) }));
  expect(JSON.stringify(data)).not.toContain(jwkOf(owner.privateKey).d);
  expect(await world.test.dump()).not.toContain(jwkOf(owner.privateKey).d);
});

const stated =
  (change: (right: Json) => Json) =>
  ({ statement }: Proof) => ({ statement: change(statement) });

describe("without the proof, though signed in, is who comes with one", () => {
  test.each<[string, (right: Proof) => Partial<Proof>]>([
    ["for another domain", stated((right) => ({ ...right, domain: "bob.test" }))],
    ["for another app", stated((right) => ({ ...right, aud: "another client" }))],
    ["by another key under the listed one", () => ({ signer: stranger.privateKey })],
  ])("%s", async (_, change) => {
    const before = dropped().length;
    const { data } = await receive(change);
    expect(data.owner_proof).toBeUndefined();
    expect(data).toHaveProperty("attestation");
    expect(dropped()).toHaveLength(before + 1);
  });

  test.each<[string, (claim: Json) => unknown]>([
    ["without a signature", ({ jws: _, ...rest }) => rest],
    ["that is null", () => null],
  ])("%s", async (_, after) => {
    const before = dropped().length;
    const { data } = await receive(() => ({}), after);
    expect(data.owner_proof).toBeUndefined();
    expect(data).toHaveProperty("attestation");
    expect(dropped()).toHaveLength(before + 1);
  });
});

test("an SP that does not declare to prove domains is neither asked for a proof nor believed one", async () => {
  const sp = await world.sp();
  const domain = world.newDomain();
  world.publish(
    domain,
    `${recordOf(sp.issuer, sp.acct(domain))}; jkt=${thumbprint(owner.publicKey)}`,
  );
  sp.bends.claims = (right) => ({ ...right, owner_proof: { kind: "jws", key: {}, jws: "a.b.c" } });
  const { validation_data } = await tokensOf(world, await visit(world, domain));
  expect(validation_data).not.toHaveProperty("owner_proof");
  const names = [...(sp.asked("authorize")[0]?.url.searchParams.keys() ?? [])];
  expect(names.filter((name) => name.startsWith("ds_"))).toEqual(["ds_hop"]);
});

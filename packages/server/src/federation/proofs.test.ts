// Tests of the proofs that an external SP sends along: valid ones are passed on, no other.

import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import * as scene from "../../../verify/test/support/sign-in.ts";
import { now as sceneNow } from "../../../verify/test/support/signer.ts";
import { checkProofs, type ProofContext } from "./proofs.ts";

const now = 1_800_000_000;
const issuer = "https://auth.example";
const wanted = {
  aud: "app",
  redirect_uri: "https://app.example/callback",
  cch: "c".repeat(43),
  nonce: "n",
};
const account = { domain: "alice.example", acct: "a".repeat(22), sp: "https://sp.example" };
const { nonce: _, ...request } = wanted;
const times = { iat: now, exp: now + 3600 };
const said = { v: 1, ...account, ...request, svc: issuer, ...times, jti: "one of them" };
type Name = "provider_proof" | "owner_proof";
const TYP = {
  provider_proof: "domain-provider-statement",
  owner_proof: "domain-owner-statement",
} as const;

const keys = { provider_proof: await makeKey(), owner_proof: await makeKey() };
const context: ProofContext = {
  ...account,
  now,
  wanted,
  spk: ["another", keys.provider_proof.thumbprint],
  jkt: ["another", keys.owner_proof.thumbprint],
};

async function makeKey() {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const jwk = await exportJWK(publicKey);
  return { privateKey, jwk, thumbprint: await calculateJwkThumbprint(jwk) };
}

async function signed(name: Name, changes: object = {}, by = keys[name], typ = `${TYP[name]}+jwt`) {
  const claims = { typ: TYP[name], ...said, ...changes };
  return new SignJWT(claims).setProtectedHeader({ alg: "ES256", typ }).sign(by.privateKey);
}

/** A claim as an honest SP sends it; `jws` replaces the right statement. */
async function claim(name: Name, jws?: string) {
  const key = { ...keys[name].jwk, kid: "left out", d: "left out" };
  const statement = jws ?? (await signed(name));
  return name === "provider_proof" ? { statement, key } : { kind: "jws", key, jws: statement };
}

const check = (claims: object, changes: Partial<ProofContext> = {}) =>
  checkProofs(claims, { ...context, ...changes }, issuer);

const publicKey = ({ x, y }: { x?: string; y?: string }) => ({ crv: "P-256", kty: "EC", x, y });

describe.each<[Name]>([["provider_proof"], ["owner_proof"]])("%s", (name) => {
  test("is passed on, with the public members of its key alone", async () => {
    const sent = await claim(name);
    const passed = { ...sent, key: publicKey(keys[name].jwk) };
    expect(await check({ [name]: sent })).toEqual({ proofs: { [name]: passed }, dropped: [] });
  });

  test("is not passed on without a claim, or if none was requested", async () => {
    expect(await check({})).toEqual({ proofs: {}, dropped: [] });
    const asked = await check({ [name]: await claim(name) }, { wanted: null });
    expect(asked).toEqual({ proofs: {}, dropped: [] });
  });

  test.each<[string, object, string]>([
    ["about another domain", { domain: "evil.example" }, "wrong_domain"],
    ["about another account", { acct: "b".repeat(22) }, "wrong_account"],
    ["for another service", { svc: "https://other.example" }, "wrong_issuer"],
    ["for another app", { aud: "other" }, "wrong_audience"],
    ["for another address", { redirect_uri: "https://evil.example/" }, "wrong_redirect_uri"],
    ["for another request", { cch: "d".repeat(43) }, "wrong_request"],
    ["for no request", { cch: undefined }, "wrong_request"],
    ["of another SP", { sp: "https://evil.example" }, "wrong_service_provider"],
    ["that is over", { iat: now - 3700, exp: now - 100 }, "expired"],
    ["that is of the future", { iat: now + 400, exp: now + 800 }, "not_yet_valid"],
    ["of another type", { typ: "another-statement" }, "wrong_type"],
    ["of another version", { v: 2 }, "unsupported_version"],
    ["without jti", { jti: undefined }, "malformed_claims"],
    ["without exp", { exp: undefined }, "malformed_claims"],
    ["that lasts too long", { exp: now + 86_400 }, "malformed_claims"],
  ])("with a statement %s is left out", async (_, changes, reason) => {
    const sent = await claim(name, await signed(name, changes));
    expect(await check({ [name]: sent })).toEqual({ proofs: {}, dropped: [`${name}: ${reason}`] });
  });

  test("with another header, or signed by another key than the listed one, is left out", async () => {
    const droppedOf = async (jws: string) =>
      (await check({ [name]: await claim(name, jws) })).dropped;
    const byOther = await signed(name, {}, await makeKey());
    expect(await droppedOf(byOther)).toEqual([`${name}: bad_signature`]);
    const withOther = await signed(name, {}, keys[name], "JWT");
    expect(await droppedOf(withOther)).toEqual([`${name}: wrong_type`]);
  });

  test("by a key that the record does not list, or lists for the other, is left out", async () => {
    const sent = { [name]: await claim(name) };
    const dropped = [`${name}: key_not_in_record`];
    expect((await check(sent, { spk: ["another"], jkt: ["another"] })).dropped).toEqual(dropped);
    const { spk, jkt } = context;
    expect((await check(sent, { spk: jkt, jkt: spk })).dropped).toEqual(dropped);
  });

  test.each<[string, (right: object) => unknown]>([
    ["a text", (right) => JSON.stringify(right)],
    ["null", () => null],
    ["a list", (right) => [right]],
    ["a number", () => 1],
    ["one without a key", (right) => ({ ...right, key: undefined })],
    ["one whose key is a text", (right) => ({ ...right, key: "a" })],
    ["one without a signature", (right) => ({ ...right, jws: undefined, statement: undefined })],
    ["one that is no JWS", (right) => ({ ...right, jws: "a", statement: "a" })],
    ["one that is too long", (right) => ({ ...right, jws: long, statement: long })],
  ])("that is %s is left out", async (_, change) => {
    const { proofs, dropped } = await check({ [name]: change(await claim(name)) });
    expect(proofs).toEqual({});
    expect(dropped).toHaveLength(1);
  });
});

const long = "A".repeat(20_000);

test("a bad proof does not take the other with it", async () => {
  const sent = { provider_proof: null, owner_proof: await claim("owner_proof") };
  const { proofs, dropped } = await check(sent);
  expect(Object.keys(proofs)).toEqual(["owner_proof"]);
  expect(dropped).toEqual(["provider_proof: malformed_data"]);
});

test("a statement of the provider is no owner proof, and the reverse", async () => {
  const asOwner = await signed("provider_proof", {}, keys.owner_proof);
  const asProvider = await signed("owner_proof", {}, keys.provider_proof);
  const provider_proof = await claim("provider_proof", asProvider);
  const owner_proof = await claim("owner_proof", asOwner);
  const dropped = ["provider_proof: wrong_type", "owner_proof: wrong_type"];
  expect((await check({ provider_proof, owner_proof })).dropped).toEqual(dropped);
});

test("a passkey's proof is passed on without what the SP adds to it", async () => {
  const made = await scene.makeScene();
  const proof = await scene.webauthnProof(made);
  const request = { aud: scene.clientId, redirect_uri: scene.redirectUri, cch: scene.cch };
  const { sp, acct, domain } = scene;
  const of: ProofContext = {
    ...{ domain, sp, acct, now: sceneNow, spk: [], jkt: [made.owner.jkt] },
    wanted: { ...request, nonce: null },
  };
  const sent = { owner_proof: { ...proof, jws: "added", more: "added" } };
  const expected = { proofs: { owner_proof: proof }, dropped: [] };
  expect(await checkProofs(sent, of, scene.issuer)).toEqual(expected);
  const changed = { owner_proof: { ...proof, signature: "AAAA" } };
  expect((await checkProofs(changed, of, scene.issuer)).proofs).toEqual({});
});

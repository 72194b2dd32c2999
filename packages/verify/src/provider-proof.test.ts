// Tests of provider proofs: whose key it must be, and what that key must have signed.

import { describe, expect, it } from "vitest";
import { type Json, makeSigningKey } from "../test/support/jose.ts";
import {
  acct,
  cch,
  clientId,
  domain,
  issuer,
  makeScene,
  providerProof,
  redirectUri,
  sp,
} from "../test/support/sign-in.ts";
import { now } from "../test/support/signer.ts";
import { outcomeOf } from "../test/support/world.ts";
import type { ProvenRecord } from "./proven-record.ts";
import { listedKey, verifyProviderProof } from "./provider-proof.ts";

const scene = await makeScene();
const spk = [scene.provider.jkt, scene.standby.jkt];
const record: ProvenRecord = { sp, acct, spk, jkt: [scene.owner.jkt], notBefore: 0, notAfter: now };

const expected = { clientId, redirectUri, issuer, cch, nonce: undefined, now };

async function verify(
  proof: { statement: string; key: Json },
  changes: Partial<ProvenRecord> = {},
) {
  return outcomeOf(verifyProviderProof(proof, domain, { ...record, ...changes }, expected));
}

it("tells by which key and until when", async () => {
  const { provider } = scene;
  const { key, ...signed } = await verifyProviderProof(
    await providerProof(scene),
    domain,
    record,
    expected,
  );
  expect(signed).toEqual({ thumbprint: provider.jkt, exp: now + 3540 });
  expect(key).toEqual(provider.jwk);
});

it("is accepted by any key that spk lists: nobody can tell the current one from its standby", async () => {
  const proof = await providerProof(scene, {}, { key: scene.standby });
  expect(await verify(proof)).toBe("good");
});

it("is refused by a key that spk does not list", async () => {
  const [own, other] = [await providerProof(scene), await makeSigningKey()];
  expect(await verify(await providerProof(scene, {}, { key: other }))).toBe("key_not_in_record");
  expect(await verify(await providerProof(scene, {}, { key: scene.owner }))).toBe(
    "key_not_in_record",
  );
  expect(await verify(own, { spk: [scene.standby.jkt] })).toBe("key_not_in_record");
  expect(await verify(own, { spk: [], jkt: [scene.provider.jkt] })).toBe("key_not_in_record");
});

it("is refused if a listed key did not sign it, or signed something else", async () => {
  const own = await providerProof(scene);
  expect(await verify({ ...own, key: scene.standby.jwk })).toBe("bad_signature");
  const changes: [Json, Json, string][] = [
    [{ typ: "domain-owner-statement" }, {}, "wrong_type"],
    [{}, { typ: "domain-owner-statement+jwt" }, "wrong_type"],
    [{}, { typ: "domain-provider-statement" }, "wrong_type"],
    [{}, { alg: "none" }, "wrong_algorithm"],
    [{}, { crit: [] }, "critical_header"],
    [{ aud: "x" }, {}, "wrong_audience"],
    [{ acct: "x" }, {}, "wrong_account"],
  ];
  for (const [claims, header, code] of changes) {
    expect(await verify(await providerProof(scene, claims, { header }))).toBe(code);
  }
});

describe("a listed key", () => {
  it("is looked for in one tag alone, and comes without what is not public", async () => {
    const { provider, owner } = scene;
    const sent = { ...provider.jwk, kid: "k", d: "secret" };
    expect(await listedKey(sent, record, "spk")).toEqual({
      key: provider.jwk,
      thumbprint: provider.jkt,
    });
    await expect(listedKey(sent, record, "jkt")).rejects.toThrow("the key is not in jkt of the");
    expect(await listedKey(owner.jwk, record, "jkt")).toMatchObject({ thumbprint: owner.jkt });
    await expect(listedKey({ kty: "EC" }, record, "spk")).rejects.toMatchObject({
      code: "unsuitable_key",
    });
  });
});

// Vectors of provider proofs that must be refused, and of words that are used for what they do not say.

import type { VerificationErrorCode } from "../../src/errors.ts";
import { compactJws, type Json, makeSigningKey, type SigningKey } from "../support/jose.ts";
import {
  attest,
  chainOf,
  dnssecPart,
  goodClaims,
  goodData,
  goodRecord,
  goodStatement,
  jwsProof,
  providerProof,
} from "../support/sign-in.ts";
import { asking, bad, type Kit } from "./kit.ts";
import { STATEMENTS } from "./statements.ts";
import type { Vector } from "./vector.ts";

type Refused = (name: string, more: Json, code: VerificationErrorCode, reason: string) => Vector;

const PROVIDER = "domain-provider-statement";
const OWNER = "domain-owner-statement";
const ATTESTATION = "domain-attestation";

export async function badProviderProofVectors(kit: Kit): Promise<Vector[]> {
  const { scene, options } = kit;
  const { owner_proof: _, ...all } = await goodData(scene);
  const data = { ...all, attestation: "not looked at", provider_proof: await providerProof(scene) };
  const asked = asking("provider_proof", options);
  const refused: Refused = (name, more, code, reason) =>
    bad(name, { ...data, ...more }, asked, code, reason);
  const vectors: Vector[] = [];
  for (const [name, statement, code, reason] of STATEMENTS) {
    const provider_proof = await providerProof(scene, statement);
    vectors.push(refused(`a provider's statement ${name}`, { provider_proof }, code, reason));
  }
  return [
    ...vectors,
    ...(await keys(kit, refused)),
    ...(await headers(kit, refused)),
    ...(await brokers(kit, refused)),
    ...(await otherUses(kit)),
  ];
}

async function keys({ scene }: Kit, refused: Refused): Promise<Vector[]> {
  const { provider, standby, owner, service } = scene;
  const other = await makeSigningKey();
  const code = "key_not_in_record";
  const by = (key: SigningKey) => providerProof(scene, {}, { key });
  const listing = async (...spk: SigningKey[]) => {
    const record = goodRecord({ spk: spk.map(({ jkt }) => jkt).join(","), jkt: owner.jkt });
    return dnssecPart(await chainOf(scene, record));
  };
  const proofOfOther = await by(other);
  return [
    refused(
      "a statement by a key of nobody",
      { provider_proof: proofOfOther },
      code,
      "Anybody has a key: the zone says which are the provider's.",
    ),
    refused(
      "a statement by a retired key, which the record lists no more",
      { dnssec: await listing(standby, other), provider_proof: await by(provider) },
      code,
      "The owner replaced the keys in the record.",
    ),
    refused(
      "a statement by a revoked key, which the record lists no more",
      { dnssec: await listing(standby), provider_proof: await by(provider) },
      code,
      "The owner removed the key from the record.",
    ),
    refused(
      "a statement by the next standby, which the record does not list yet",
      { dnssec: await listing(provider, standby), provider_proof: proofOfOther },
      code,
      "A key speaks for the domain from when the zone lists it.",
    ),
    refused(
      "a statement by the owner's key",
      { provider_proof: await by(owner) },
      code,
      "jkt lists keys of the owner, and none of the provider.",
    ),
    refused(
      "a statement by the service's key for attestations",
      { provider_proof: await by(service) },
      code,
      "A key of the key set is no key of the record.",
    ),
    refused(
      "a statement below a record without spk",
      { dnssec: dnssecPart(await chainOf(scene, goodRecord({ jkt: owner.jkt }))) },
      code,
      "The zone lists no key of the provider.",
    ),
    refused(
      "a listed key of the provider that did not sign",
      { provider_proof: { ...proofOfOther, key: provider.jwk } },
      "bad_signature",
      "Another key made the signature.",
    ),
  ];
}

async function headers({ scene }: Kit, refused: Refused): Promise<Vector[]> {
  const by = async (header: Json) => ({
    provider_proof: await providerProof(scene, {}, { header }),
  });
  const { statement, key } = await providerProof(scene);
  const key_type = "The key's type says the algorithm.";
  return [
    refused(
      "a provider's JWS with alg none",
      await by({ alg: "none" }),
      "wrong_algorithm",
      key_type,
    ),
    refused(
      "a provider's JWS with alg Ed25519",
      await by({ alg: "Ed25519" }),
      "wrong_algorithm",
      key_type,
    ),
    refused(
      "a provider's JWS with crit",
      await by({ crit: ["x"] }),
      "critical_header",
      "RFC 7515 §4.1.11.",
    ),
    refused(
      "a provider's JWS of four parts",
      { provider_proof: { statement: `${statement}.AA`, key } },
      "malformed_jws",
      "A compact JWS has three parts.",
    ),
  ];
}

/** A broker stands between the provider and the app. */
async function brokers({ scene }: Kit, refused: Refused): Promise<Vector[]> {
  const others = await providerProof(scene, { domain: "bob.test" });
  const name = "_domain-signin.bob.test.";
  return [
    refused(
      "a provider proof that was dropped",
      { provider_proof: undefined },
      "missing_part",
      "What is required and not there is not proven.",
    ),
    refused(
      "a provider proof whose chain was dropped",
      { dnssec: undefined },
      "missing_part",
      "Whose key it is, the zone says: without its chain any key would do.",
    ),
    refused(
      "a provider proof that was swapped for that of another person",
      { provider_proof: others },
      "wrong_domain",
      "The statement is about another domain than the data.",
    ),
    refused(
      "a chain that was swapped for that of another domain",
      { dnssec: { ...dnssecPart(await chainOf(scene)), name } },
      "wrong_domain",
      "The chain is about another domain than the data.",
    ),
  ];
}

/** What one key signed, used for another purpose: each check of a type refuses it alone. */
async function otherUses({ scene, options }: Kit): Promise<Vector[]> {
  const { provider, owner, service } = scene;
  const all = { ...(await goodData(scene)), attestation: "not looked at" };
  const byOwner = asking("owner_proof", options);
  const byProvider = asking("provider_proof", options);
  const jws = (key: SigningKey, typ: string, payload: Json, header: Json = {}) =>
    compactJws(key, { typ: `${typ}+jwt`, alg: "ES256", ...header }, payload);
  const stated = { ...goodStatement(), typ: PROVIDER };
  const owned = { ...goodStatement(), typ: OWNER };
  // A service that lists its key for attestations in the record: then only the types tell the two apart.
  const record = goodRecord({ spk: service.jkt, jkt: owner.jkt });
  const lax = { ...all, dnssec: dnssecPart(await chainOf(scene, record)) };
  const asStatement = async (statement: Promise<string>) => ({
    ...lax,
    provider_proof: { statement: await statement, key: service.jwk },
  });
  const asOwner = async (text: Promise<string>, key = owner) => ({
    ...all,
    owner_proof: { kind: "jws", key: key.jwk, jws: await text },
  });
  const asProvider = async (text: Promise<string>) => ({
    ...all,
    provider_proof: { statement: await text, key: provider.jwk },
  });
  const one = "What a key signed for one purpose proves nothing for another.";
  return [
    bad(
      "an attestation as a statement",
      await asStatement(attest(scene)),
      byProvider,
      "wrong_type",
      one,
    ),
    bad(
      "the claims of an attestation as a statement",
      await asStatement(jws(service, PROVIDER, goodClaims())),
      byProvider,
      "wrong_type",
      one,
    ),
    bad(
      "a statement as an attestation",
      { ...all, attestation: await jws(service, PROVIDER, stated, { kid: "k1" }) },
      asking("attestation", options),
      "wrong_type",
      one,
    ),
    bad(
      "the claims of a statement as an attestation",
      { ...all, attestation: await jws(service, ATTESTATION, stated, { kid: "k1" }) },
      asking("attestation", options),
      "wrong_issuer",
      "A statement has no iss.",
    ),
    bad(
      "a provider's statement as an owner proof",
      await asOwner(jws(provider, PROVIDER, stated), provider),
      byOwner,
      "key_not_in_record",
      "spk lists keys of the provider, and none of the owner.",
    ),
    bad(
      "the owner's key under a JWS of the provider's type",
      await asOwner(jws(owner, PROVIDER, owned)),
      byOwner,
      "wrong_type",
      one,
    ),
    bad(
      "the owner's key under a statement of the provider's type",
      await asOwner(jws(owner, OWNER, stated)),
      byOwner,
      "wrong_type",
      one,
    ),
    bad(
      "the provider's key under a JWS of the owner's type",
      await asProvider(jws(provider, OWNER, stated)),
      byProvider,
      "wrong_type",
      one,
    ),
    bad(
      "the provider's key under a statement of the owner's type",
      await asProvider(jws(provider, PROVIDER, owned)),
      byProvider,
      "wrong_type",
      one,
    ),
    bad(
      "an owner's JWS by the key of the provider",
      { ...all, owner_proof: await jwsProof({ ...scene, owner: provider }) },
      byOwner,
      "key_not_in_record",
      "A service cannot speak as the owner with a key that the record lists as its own.",
    ),
  ];
}

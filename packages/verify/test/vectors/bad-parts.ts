// Vectors of parts that are valid but do not match, or of which one is missing.

import { type Json, makeSigningKey, type SigningKey } from "../support/jose.ts";
import {
  acct,
  attest,
  chainOf,
  clientId,
  dnssecPart,
  domain,
  goodData,
  providerProof,
  type Scene,
} from "../support/sign-in.ts";
import { inception, now } from "../support/signer.ts";
import { asking, bad, type Kit } from "./kit.ts";
import type { Vector } from "./vector.ts";

export async function badPartVectors({ scene, options }: Kit): Promise<Vector[]> {
  const all = await goodData(scene);
  const { dnssec, owner_proof, ...bare } = all;
  const anchor = ". IN DS 20326 8 1 AE1EA5B974D4C858B740BD03E3CED7EBFCBD1724";
  const byRecord = asking("attestation_and_dnssec", options);
  const byOwner = asking("owner_proof", options);
  const attestationOf = async (more: Json) => ({
    ...bare,
    ...{ dnssec, owner_proof, attestation: await attest(scene, more) },
  });
  const otherAcct = await attestationOf({ acct: "x".repeat(22) });
  const otherSp = await attestationOf({ sp: "https://sp.example.org" });
  const another = await attestationOf({ aud: `${clientId}2` });
  const other = await makeSigningKey();
  const missing = "What is required and not there is not proven; absence is never proven either.";
  return [
    bad("both, without dnssec", { ...bare, owner_proof }, options, "missing_part", missing),
    bad("both, without owner_proof", { ...bare, dnssec }, options, "missing_part", missing),
    bad("attestation and chain, without chain", bare, byRecord, "missing_part", missing),
    bad(
      "an owner proof without a chain",
      { ...bare, owner_proof },
      byOwner,
      "missing_part",
      "Whose key it is, the zone says: without its chain any key would do.",
    ),
    bad(
      "both, the attestation of another account",
      otherAcct,
      options,
      "wrong_account",
      "The record names another acct than the attestation.",
    ),
    bad(
      "both, the attestation of another service provider",
      otherSp,
      options,
      "wrong_service_provider",
      "The record names another sp than the attestation.",
    ),
    bad(
      "attestation and chain of two accounts",
      otherAcct,
      byRecord,
      "wrong_account",
      "The record names another acct than the attestation.",
    ),
    bad(
      "attestation and chain of two service providers",
      otherSp,
      byRecord,
      "wrong_service_provider",
      "The record names another sp than the attestation.",
    ),
    ...(await otherProviders(scene, options)),
    bad(
      "both, the attestation for another client",
      another,
      options,
      "wrong_audience",
      "One good part does not make up for a bad one.",
    ),
    bad(
      "both, with a key set of another service",
      { ...bare, dnssec, owner_proof },
      { ...options, jwks: { keys: [{ ...other.jwk, kid: "k1" }] } },
      "bad_signature",
      "The key of that kid did not sign the attestation.",
    ),
    bad(
      "the domain's name changed",
      { ...bare, dnssec, owner_proof, domain: "evilalice.test" },
      options,
      "wrong_domain",
      "Attestation, statement and chain are about the domain that is named beside them.",
    ),
    bad(
      "a trust anchor of SHA-1",
      all,
      { ...options, trust_anchors: [anchor] },
      "malformed_trust_anchor",
      "Digests of trust anchors are SHA-256 or SHA-384.",
    ),
    bad(
      "a record that was signed before max_signature_age",
      all,
      { ...options, max_signature_age: now - inception - 1 },
      "signature_too_old",
      "The client wants a fresher word of the zone than this.",
    ),
  ];
}

/** The owner of a domain writes its record, and could name any service and list any key there. */
async function otherProviders(scene: Scene, options: Json): Promise<Vector[]> {
  const other = "https://sp.example.org";
  const own = await makeSigningKey();
  const byKeyOf = (service: SigningKey, more: Json) => attest({ ...scene, service }, more);
  const record = `v=dsi1 sp=${other} acct=${acct} spk=${own.jkt}`;
  const dnssec = dnssecPart(await chainOf(scene, record));
  const said = { sp: other, sub: "sub_of_another_issuer" };
  const provider_proof = await providerProof(scene, said, { key: own });
  const attestation = await attest(scene, { sp: other });
  const data = { v: 1, domain, attestation, dnssec, provider_proof };
  const ofSub = { sub: "sub_of_another_issuer" };
  const forged = { ...(await goodData(scene)), attestation: await byKeyOf(scene.owner, ofSub) };
  const unsigned =
    "A key that the record lists says nothing for the issuer: no sub is theirs to give.";
  const federated = { ...asking("attestation_and_dnssec", options), allow_federation: false };
  const reason =
    "Otherwise any service could attest any domain: the client has to mean federation.";
  return [
    bad(
      "a record that names another service provider",
      data,
      federated,
      "wrong_service_provider",
      reason,
    ),
    bad(
      "attestation and chain, the attestation and its sub by a key in the record",
      forged,
      asking("attestation_and_dnssec", options),
      "bad_signature",
      unsigned,
    ),
    bad(
      "both, the attestation and its sub by a key in the record",
      forged,
      options,
      "bad_signature",
      unsigned,
    ),
    bad(
      "a statement about another account at the service that an owner's own record names",
      {
        ...data,
        provider_proof: await providerProof(scene, { ...said, acct: "x".repeat(22) }, { key: own }),
      },
      asking("provider_proof", options),
      "wrong_account",
      "Even of itself, the zone names one account.",
    ),
  ];
}

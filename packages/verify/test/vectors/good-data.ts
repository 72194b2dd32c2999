// Vectors of valid validation data.

import { type Json, makeSigningKey } from "../support/jose.ts";
import {
  acct,
  attest,
  chainOf,
  dnssecPart,
  domain,
  goodData,
  goodStatement,
  issuer,
  jwsProof,
  makeScene,
  providerProof,
  type Scene,
  webauthnProof,
} from "../support/sign-in.ts";
import { anchorText, expiration, inception, now } from "../support/signer.ts";
import { asking, attested, good, type Kit, optionsOf, provenBy } from "./kit.ts";
import type { Vector } from "./vector.ts";

// OpenID Connect Core appendix A.3.
const access_token = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
const at_hash = "77QmUPtjPfzWtF2AnpK9RQ";
const nonce = "n-0S6_WzA2Mj";

export async function goodDataVectors(kit: Kit): Promise<Vector[]> {
  return [
    ...(await attestationVectors(kit)),
    ...(await ownerVectors(kit)),
    ...(await otherKeyVectors()),
    await loopbackVector(kit),
    ...(await providerVectors(kit)),
    ...(await federationVectors(kit)),
  ];
}

async function attestationVectors({ scene, options }: Kit): Promise<Vector[]> {
  const alone = asking("attestation", options);
  const { code_verifier: _, ...noPkce } = alone;
  const result = provenBy("attestation", scene);
  const attestation = await attest(scene);
  const other = { ...(await makeSigningKey()).jwk, kid: "k0", use: "sig", alg: "ES256" };
  const twoKeys = { keys: [other, ...scene.jwks.keys] };
  const onTime = { iat: now - 600, exp: now - 59 };
  const brought = { jwk: other, jku: "https://evil.test/jwks", x5u: "https://evil.test/x5u" };
  const byNonce = await attest(scene, { cch: undefined, nonce });
  const byBoth = await attest(scene, { nonce });
  return [
    good("attestation alone, bound by PKCE", attested(attestation), alone, result),
    good("attestation alone, bound by a nonce", attested(byNonce), { ...noPkce, nonce }, result),
    good("attestation with PKCE and a nonce", attested(byBoth), { ...alone, nonce }, result),
    good(
      "attestation with the hash of the access token",
      attested(await attest(scene, { at_hash })),
      { ...alone, access_token },
      result,
    ),
    good(
      "one of several keys in the key set, found by its kid",
      attested(attestation),
      { ...alone, jwks: twoKeys },
      result,
    ),
    good(
      "keys in the header of the attestation are ignored",
      attested(await attest(scene, {}, brought)),
      alone,
      result,
    ),
    good(
      "an attestation that ended 59 seconds ago: clocks may differ by 60",
      attested(await attest(scene, onTime)),
      alone,
      provenBy("attestation", scene, now - 59),
    ),
    ...(await assuranceVectors(scene, alone)),
    good(
      "members that are not known are ignored",
      attested(attestation, { later: { x: 1 } }),
      alone,
      result,
    ),
  ];
}

async function ownerVectors({ scene, options }: Kit): Promise<Vector[]> {
  const { code_verifier: _, ...noPkce } = options;
  const all = await goodData(scene);
  const { owner_proof: __, ...chained } = all;
  const signed = await jwsProof(scene);
  const statement = { cch: undefined, nonce };
  const byNonce = {
    attestation: await attest(scene, statement),
    owner_proof: await webauthnProof(scene, { statement }),
  };
  const spaced = JSON.stringify(goodStatement(), null, 2);
  const odd = { statementText: spaced, clientData: { crossOrigin: undefined, later: 1 } };
  const late = expiration - 10;
  const lateTimes = { iat: late, exp: late + 600 };
  const lateParts = {
    attestation: await attest(scene, lateTimes),
    owner_proof: await jwsProof(scene, lateTimes),
  };
  const byAttestation = asking("attestation", options);
  const byRecord = asking("attestation_and_dnssec", options);
  const byOwner = asking("owner_proof", options);
  const young = { ...options, max_signature_age: now - inception };
  const both = provenBy("both", scene);
  const owner = provenBy("owner_proof", scene, now + 3540);
  return [
    good("all parts, with a passkey of ES256", all, options, both),
    good("all parts, bound by a nonce", { ...all, ...byNonce }, { ...noPkce, nonce }, both),
    good("all parts, of which one is required", all, byAttestation, provenBy("attestation", scene)),
    good(
      "attestation and chain, without an owner proof",
      chained,
      byRecord,
      provenBy("attestation_and_dnssec", scene),
    ),
    good(
      "owner proof by passkey, without any key of the service",
      { ...all, attestation: "not looked at" },
      byOwner,
      owner,
    ),
    good("owner proof by JWS of ES256", { ...all, owner_proof: signed }, byOwner, owner),
    good("a record that was signed within max_signature_age", all, young, both),
    good(
      "a statement with white space and client data without crossOrigin: octets as they are",
      { ...all, owner_proof: await webauthnProof(scene, odd) },
      byOwner,
      owner,
    ),
    good(
      "proven no longer than the zone signed it",
      { ...all, ...lateParts },
      { ...options, now: late },
      provenBy("both", scene, expiration),
    ),
  ];
}

async function assuranceVectors(scene: Scene, options: Json): Promise<Vector[]> {
  const result = provenBy("attestation", scene);
  const by = async (status: string, more: Json = {}) => {
    const input = attested(await attest(scene, { dns: { status } }));
    const name = `an attestation of assurance ${status}, where ${more.min_assurance ?? "none"} is required`;
    return good(name, input, { ...options, ...more }, { ...result, assurance: status });
  };
  return [
    await by("unknown"),
    await by("single", { min_assurance: "single" }),
    await by("secure", { min_assurance: "corroborated" }),
  ];
}

async function providerVectors({ scene, options }: Kit): Promise<Vector[]> {
  const asked = asking("provider_proof", options);
  const { code_verifier: _, ...noPkce } = asked;
  const { owner_proof: __, ...parts } = await goodData(scene);
  const chained: Json = { ...parts, attestation: "not looked at" };
  const proven = provenBy("provider_proof", scene, now + 3540);
  const statement = { cch: undefined, nonce };
  const byStandby = await providerProof(scene, {}, { key: scene.standby });
  const byService = { ...scene, owner: scene.provider };
  const record = `v=dsi1 sp=${issuer} acct=${acct} jkt=${scene.provider.jkt}`;
  const lying = {
    ...chained,
    dnssec: dnssecPart(await chainOf(scene, record)),
    owner_proof: await jwsProof(byService),
  };
  const byOwner = provenBy("owner_proof", scene, now + 3540);
  const listed = { ...(byOwner.record as Json), spk: [], jkt: [scene.provider.jkt] };
  return [
    good(
      "provider proof, without any key of the key set",
      { ...chained, provider_proof: await providerProof(scene) },
      asked,
      proven,
    ),
    good(
      "provider proof, bound by a nonce",
      { ...chained, provider_proof: await providerProof(scene, statement) },
      { ...noPkce, nonce },
      proven,
    ),
    good(
      "provider proof by the standby that the record lists: a rotation needs no change of DNS",
      { ...chained, provider_proof: byStandby },
      asked,
      { ...proven, spk: scene.standby.jkt },
    ),
    good(
      "an owner proof by a service that put its own key into jkt: nobody can tell, and no sub is proven",
      lying,
      asking("owner_proof", options),
      { ...byOwner, jkt: scene.provider.jkt, record: listed },
    ),
  ];
}

/** Records that name another service than the client's, honest or made up by the owner of the domain. */
async function federationVectors({ scene, options }: Kit): Promise<Vector[]> {
  const other = "https://sp.example.org";
  const own = await makeSigningKey();
  const text = `v=dsi1 sp=${other} acct=${acct} spk=${own.jkt}`;
  const attestation = await attest(scene, { sp: other });
  const said = { sp: other, sub: "sub_of_another_issuer" };
  const provider_proof = await providerProof(scene, said, { key: own });
  const dnssec = dnssecPart(await chainOf(scene, text));
  const data = { v: 1, domain, attestation, dnssec, provider_proof };
  const owned = {
    ...(await goodData(scene)),
    attestation,
    dnssec: dnssecPart(
      await chainOf(scene, `v=dsi1 sp=${other} acct=${acct} jkt=${scene.owner.jkt}`),
    ),
    owner_proof: await jwsProof(scene, { sp: other }),
  };
  const ofOwner = provenBy("both", scene);
  const ownersRecord = { ...(ofOwner.record as Json), sp: other, spk: [] };
  const expected = (require: string, until?: number) => {
    const result = provenBy(require, scene, until);
    const record = { ...(result.record as Json), sp: other, spk: [own.jkt], jkt: [] };
    return { ...result, sp: other, record };
  };
  return [
    good(
      "a provider proof by a key of the domain's owner, whose statement names a sub: no sub is proven",
      data,
      asking("provider_proof", options),
      { ...expected("provider_proof", now + 3540), spk: own.jkt },
    ),
    good(
      "both, of another service provider: the owner's key approved this service",
      owned,
      options,
      { ...ofOwner, sp: other, record: ownersRecord },
    ),
    good(
      "attestation and chain of another service provider, with allow_federation",
      data,
      { ...asking("attestation_and_dnssec", options), allow_federation: true },
      expected("attestation_and_dnssec"),
    ),
  ];
}

/** Passkeys and JWS by keys of the other types. */
async function otherKeyVectors(): Promise<Vector[]> {
  const vectors: Vector[] = [];
  for (const kty of ["OKP", "RSA"] as const) {
    const scene = await makeScene(kty);
    const options = optionsOf(scene, [await anchorText(scene.world.root)]);
    const data = await goodData(scene);
    const { alg } = scene.owner;
    const jws = { ...data, owner_proof: await jwsProof(scene) };
    vectors.push(
      good(`all parts, with a passkey of ${alg}`, data, options, provenBy("both", scene)),
      good(`all parts, with a JWS of ${alg}`, jws, options, provenBy("both", scene)),
    );
    if (kty !== "OKP") continue;
    const owner_proof = await jwsProof(scene, {}, { alg: "Ed25519" });
    const byName = { ...data, owner_proof };
    vectors.push(
      good("all parts, with a JWS of Ed25519 (RFC 9864)", byName, options, provenBy("both", scene)),
    );
  }
  return vectors;
}

/** A demo on the developer's own machine: its issuer is http://localhost, and so is the record's. */
async function loopbackVector({ scene, options }: Kit): Promise<Vector> {
  const local = "http://localhost:8080";
  const data = await localData(scene, local);
  const result = provenBy("both", scene);
  const keys = { spk: [], jkt: [scene.owner.jkt] };
  const record = { ...(result.record as Json), ...keys, sp: local };
  return good(
    "an issuer on loopback, where the service is there too",
    data,
    { ...options, issuer: local },
    { ...result, sp: local, record },
  );
}

async function localData(scene: Scene, local: string): Promise<Json> {
  const record = `v=dsi1 sp=${local} acct=${acct} jkt=${scene.owner.jkt}`;
  const statement = { sp: local, svc: local };
  const lies = { statement, clientData: { origin: local }, rpId: "localhost" };
  return goodData(scene, {
    dnssec: dnssecPart(await chainOf(scene, record)),
    owner_proof: await webauthnProof(scene, lies),
    attestation: await attest(scene, { iss: local, sp: local }),
  });
}

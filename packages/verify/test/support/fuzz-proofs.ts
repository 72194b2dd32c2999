// Fuzz targets: the verifiers of whole proofs, with almost valid proofs as inputs.

import { verifyAttestation } from "../../src/attestation.ts";
import { verifyChain } from "../../src/dnssec/chain.ts";
import { VerificationError } from "../../src/errors.ts";
import { readExpectations } from "../../src/expectations.ts";
import type { Issuer } from "../../src/issuer.ts";
import { readPublicJwk } from "../../src/jwk.ts";
import { verifyOwnerProof } from "../../src/owner-proof.ts";
import { verifyProviderProof } from "../../src/provider-proof.ts";
import type { ReadOwnerProof } from "../../src/validation-data.ts";
import { verifyValidationData } from "../../src/verify.ts";
import { verifyAssertion } from "../../src/webauthn.ts";
import { madeUpChain } from "./fuzz-dns.ts";
import { changedJson, type Random, someJson, someOctets, someText } from "./fuzz-random.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz-run.ts";
import { maxPart } from "./fuzz-text.ts";
import { compactJws, derSignature, type Json, sha256, utf8 } from "./jose.ts";
import {
  acct,
  chainOf,
  domain,
  goodClaims,
  goodData,
  goodStatement,
  jwsProof,
  optionsFor,
  providerProof,
  type Scene,
  sp,
} from "./sign-in.ts";
import { join, now, type Octets, recordsOf, signedSet, txt } from "./signer.ts";

const letters = ["A", "_", "-", "=", ".", "Zm9v"];

/** Data with a passkey's proof and data with a JWS, which cover all members. */
export async function goodDataOf(scene: Scene): Promise<Json[]> {
  const withPasskey = await goodData(scene);
  return [withPasskey, { ...withPasskey, owner_proof: await jwsProof(scene) }];
}

export async function goodChainsOf(scene: Scene): Promise<Octets[]> {
  const { world } = scene;
  const many = { ...world.answer, rdatas: ["a", "b", "c"].map(txt) };
  return [await chainOf(scene), join(await signedSet(world.alice, many), ...world.up)];
}

export async function proofTargets(
  scene: Scene,
  data: readonly Json[],
  chains: readonly Octets[],
): Promise<FuzzTarget[]> {
  const expected = await readExpectations(scene.options);
  const key = readPublicJwk(scene.owner.jwk);
  const ofOurs = { error: VerificationError };
  const issuer = sp as Issuer;
  const keys = { jkt: [scene.owner.jkt], spk: [scene.provider.jkt] };
  const record = { sp: issuer, acct, ...keys, notBefore: now, notAfter: now };
  const goodHeader = { typ: "domain-attestation+jwt", alg: "ES256", kid: "k1" };
  const claimsOf = goodClaims();
  const attestation = String(data[0]?.attestation);
  const levels = ["attestation", "provider_proof", "owner_proof", "both"] as const;
  const assertion = assertionOf(data[0]?.owner_proof as Json);

  return [
    fuzzTarget({
      ...{ title: "verifyChain", inputs: 20_000, ...ofOurs },
      make: (random) => {
        const chosen = random.nat(8);
        if (chosen === 0) return madeUpChain(random);
        return chosen === 1 ? shuffled(random, chains) : someOctets(random, chains);
      },
      read: (chain) => verifyChain(chain, scene.world.request),
    }),
    fuzzTarget({
      ...{ title: "verifyAttestation", inputs: 10_000, ...ofOurs },
      make: (random) => someText(random, [attestation], letters, maxPart),
      read: (text) => verifyAttestation(text, domain, expected),
    }),
    fuzzTarget({
      ...{ title: "verifyAttestation of signed claims", inputs: 4000, ...ofOurs },
      make: (random) => {
        const header = changedJson(random, goodHeader, letters);
        const claims = random.chance(6) ? someJson(random) : changedJson(random, claimsOf, letters);
        return compactJws(scene.service, (random.chance(2) ? goodHeader : header) as Json, claims);
      },
      read: (text) => text.length <= maxPart && verifyAttestation(text, domain, expected),
    }),
    fuzzTarget({
      ...{ title: "verifyAssertion", inputs: 10_000, ...ofOurs },
      make: (random) => {
        const member = random.pick(["authenticatorData", "clientDataJson", "signature"] as const);
        return { ...assertion, [member]: someOctets(random, [assertion[member]]) };
      },
      read: (changed) => verifyAssertion(changed, key, issuer),
    }),
    fuzzTarget({
      ...{ title: "verifyAssertion of what was signed", inputs: 4000, ...ofOurs },
      make: async (random) => {
        const clientData = JSON.parse(Buffer.from(assertion.clientDataJson).toString());
        const clientDataJson = utf8(
          random.chance(2)
            ? JSON.stringify(changedJson(random, clientData, letters))
            : someText(random, [JSON.stringify(clientData)], ['"', "{", "}", '"type":""']),
        );
        const authenticatorData = random.chance(2)
          ? someOctets(random, [assertion.authenticatorData])
          : assertion.authenticatorData;
        const signed = join(authenticatorData, sha256(clientDataJson));
        const signature = derSignature(await scene.owner.sign(signed));
        return { ...assertion, authenticatorData, clientDataJson, signature };
      },
      read: (changed) => verifyAssertion(changed, key, issuer),
    }),
    fuzzTarget({
      ...{ title: "verifyOwnerProof of a signed statement", inputs: 4000, ...ofOurs },
      make: async (random) => {
        const statement = random.chance(6)
          ? someJson(random)
          : changedJson(random, goodStatement(), letters);
        const header = { typ: "domain-owner-statement+jwt", alg: scene.owner.alg };
        return {
          kind: "jws",
          key: scene.owner.jwk,
          jws: await compactJws(scene.owner, header, statement),
        } as const;
      },
      read: (proof) =>
        proof.jws.length <= maxPart && verifyOwnerProof(proof, domain, record, expected),
    }),
    fuzzTarget({
      ...{ title: "verifyProviderProof of a signed statement", inputs: 4000, ...ofOurs },
      make: (random) =>
        providerProof(scene, changedJson(random, goodStatement(), letters) as Json, {
          header: random.chance(4) ? (changedJson(random, { typ: "x" }, letters) as Json) : {},
        }),
      read: ({ statement, key: jwk }) =>
        statement.length <= maxPart &&
        verifyProviderProof({ statement, key: jwk }, domain, record, expected),
    }),
    fuzzTarget({
      ...{ title: "verifyValidationData", inputs: 10_000, ...ofOurs },
      make: (random) => ({
        data: random.chance(10)
          ? someJson(random)
          : changedJson(random, random.pick(data), letters),
        require: random.pick(levels),
      }),
      read: ({ data: some, require }) => verifyValidationData(some, optionsFor(scene, require)),
    }),
  ];
}

type Assertion = Extract<ReadOwnerProof, { kind: "webauthn" }>;

/** The passkey's proof in good data, as octets. */
function assertionOf(part: Json): { [Member in keyof Assertion]: Assertion[Member] } & {
  readonly authenticatorData: Octets;
  readonly clientDataJson: Octets;
  readonly signature: Octets;
} {
  const member = (name: string) => new Uint8Array(Buffer.from(String(part[name]), "base64url"));
  return {
    kind: "webauthn",
    key: part.key as Json,
    statement: member("statement"),
    authenticatorData: member("authenticator_data"),
    clientDataJson: member("client_data_json"),
    signature: member("signature"),
  };
}

/** The records of a valid chain, with some removed, duplicated or reordered. */
function shuffled(random: Random, chains: readonly Octets[]): Octets {
  const records = recordsOf(random.pick(chains));
  const count = records.length + random.nat(4) - 2;
  const moved = Array.from({ length: count }, () => random.pick(records));
  const rest = random.chance(2) ? records : [];
  return join(...moved, ...rest);
}

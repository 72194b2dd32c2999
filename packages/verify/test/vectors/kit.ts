// The material of the vectors: one sign-in with throwaway keys, and shared helpers.

import type { VerificationErrorCode } from "../../src/errors.ts";
import type { RequiredProof } from "../../src/expectations.ts";
import { base64url, type Json } from "../support/jose.ts";
import {
  acct,
  clientId,
  codeVerifier,
  domain,
  issuer,
  makeScene,
  redirectUri,
  type Scene,
  sp,
} from "../support/sign-in.ts";
import {
  anchorText,
  expiration,
  inception,
  join,
  now,
  type Octets,
  signedSet,
  type,
} from "../support/signer.ts";
import { leafName, type World } from "../support/world.ts";
import type { Vector } from "./vector.ts";

export interface Kit {
  readonly scene: Scene;
  /** Valid values of all required options. */
  readonly options: Json;
  readonly anchors: readonly string[];
}

export async function makeKit(): Promise<Kit> {
  const scene = await makeScene();
  const anchors = [await anchorText(scene.world.root)];
  return { scene, anchors, options: optionsOf(scene, anchors) };
}

/** Those of `both`, of which other levels honour only some: see `asking`. */
export function optionsOf({ options }: Scene, anchors: readonly string[]): Json {
  return {
    require: "both",
    ...{ client_id: clientId, redirect_uri: redirectUri, code_verifier: codeVerifier },
    ...{ issuer, jwks: options.jwks, now, trust_anchors: anchors },
  };
}

/** The same options for another level, without those that it does not honour. */
export function asking(require: RequiredProof, options: Json): Json {
  const { jwks, trust_anchors, ...common } = options;
  const isAttested = require !== "provider_proof" && require !== "owner_proof";
  return {
    ...{ ...common, require },
    ...(isAttested && { jwks }),
    ...(require !== "attestation" && { trust_anchors }),
  };
}

export function good(name: string, input: Json, options: Json, result: Json): Vector {
  return { name, input, options, expected: { result } };
}

export function bad(
  name: string,
  input: Json,
  options: Json,
  error: VerificationErrorCode,
  reason: string,
): Vector {
  return { name, input, options, expected: { error, reason } };
}

/** What only the attestation says. */
const facts = {
  ...{ sub: "acc_1", assurance: "secure", auth_time: now - 5, amr: ["hwk", "user"] },
  ...{ method: "passkey", jti: "j1", domain_since: now - 9000 },
};

/** The result for data whose parts are all valid. */
export function provenBy(require: string, scene: Scene, until = now + 600): Json {
  const { owner, provider, standby } = scene;
  const keys = { jkt: [owner.jkt], spk: [provider.jkt, standby.jkt] };
  const record = { sp, acct, ...keys, not_before: inception, not_after: expiration };
  const isAttested = !["provider_proof", "owner_proof"].includes(require);
  return {
    ...{ domain, how: require, sp, acct, until },
    ...(isAttested && facts),
    ...(require === "provider_proof" && { spk: provider.jkt }),
    ...(["owner_proof", "both"].includes(require) && { jkt: owner.jkt }),
    ...(require !== "attestation" && { record }),
  };
}

/** Data with only an attestation, for vectors about attestations. */
export function attested(attestation: string, more: Json = {}): Json {
  return { v: 1, domain, attestation, ...more };
}

export function chainInput(parts: readonly Octets[], name = `${leafName}.`): Json {
  return { name, type: type.TXT, chain: base64url(join(...parts)) };
}

export function chainOptions(anchors: readonly string[], more: Json = {}): Json {
  return { now, trust_anchors: anchors, ...more };
}

/** The parts of the valid chain: the answer, then key sets and delegations up to the root. */
export async function partsOf(world: World): Promise<Octets[]> {
  return [await signedSet(world.alice, world.answer), ...world.up];
}

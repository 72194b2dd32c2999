// Three signed zones with one SP record, from which tests build chains.

import { type ChainRequest, type VerifiedRrset, verifyChain } from "../../src/dnssec/chain.ts";
import { parseTrustAnchor } from "../../src/dnssec/trust-anchors.ts";
import { VerificationError } from "../../src/errors.ts";
import {
  anchorText,
  join,
  makeZone,
  now,
  type Octets,
  type SetToSign,
  signedSet,
  txt,
  type,
  upwards,
  type Zone,
} from "./signer.ts";

export interface World {
  readonly root: Zone;
  readonly tld: Zone;
  readonly alice: Zone;
  readonly answer: SetToSign;
  /** Key sets and delegations from `alice.test` up to the root. */
  readonly up: readonly Octets[];
  readonly request: ChainRequest;
}

export const leafName = "_domain-signin.alice.test";

export async function makeWorld(algorithm = 13): Promise<World> {
  const [root, tld, alice] = await Promise.all([
    makeZone("", algorithm),
    makeZone("test", algorithm),
    makeZone("alice.test", algorithm),
  ]);
  const answer = { name: leafName, type: type.TXT, rdatas: [txt("v=dsi1 sp=none")] };
  const trustAnchors = [parseTrustAnchor(await anchorText(root))];
  const request = { name: leafName, type: type.TXT, now, trustAnchors };
  return { root, tld, alice, answer, up: await upwards(alice, tld, root), request };
}

export async function goodChain(world: World): Promise<Octets> {
  return join(await signedSet(world.alice, world.answer), ...world.up);
}

export function verify(
  world: World,
  parts: readonly Octets[],
  request: Partial<ChainRequest> = {},
): Promise<VerifiedRrset> {
  return verifyChain(join(...parts), { ...world.request, ...request });
}

/** `good`, or the code of the VerificationError. Rethrows any other error. */
export async function outcomeOf(verified: Promise<unknown>): Promise<string> {
  try {
    await verified;
    return "good";
  } catch (error) {
    if (error instanceof VerificationError) return codeOf(error);
    throw error;
  }
}

/** The code of an error, which must also have a message of several words. */
export function codeOf({ code, message }: VerificationError): string {
  if (/^\S+( \S+){2,}$/.test(message)) return code;
  throw new Error(`${code} has no words: "${message}"`);
}

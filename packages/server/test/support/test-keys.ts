// Signing keys for services under test: an RSA key takes a third of a second, so a few go round.

import { makeSigningKey, type SigningAlg } from "../../src/keys/signing-key.ts";

/** More than the services of any one test, so that each has its own. */
const FEW = 4;

const rsaKeys: Promise<Buffer>[] = [];
let taken = 0;

export function makeTestKey(alg: SigningAlg): Promise<Buffer> {
  if (alg !== "RS256") return makeSigningKey(alg);
  const place = taken++ % FEW;
  rsaKeys[place] ??= makeSigningKey(alg);
  return rsaKeys[place];
}

/** For services under test that sign nothing. */
export const noSigningKeys = {
  signingKeyAt(): never {
    throw new Error("nothing is signed here");
  },
};

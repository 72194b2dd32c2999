// Which delegations are of a kind that is read here: of a digest, and for an algorithm, that can be checked.

import type { Ds } from "domain-signin-verify/dns/dnssec-records";
import { keysThatDsMean } from "domain-signin-verify/dnssec/delegation";
import { isSignatureBy } from "domain-signin-verify/dnssec/signature";
import { VerificationError } from "domain-signin-verify/errors";

/** None of them if nobody here could tell a good key of the zone from a bad one (RFC 4035 §5.2). */
export async function readableHere(dsSet: readonly Ds[], zone: string): Promise<readonly Ds[]> {
  const readable = new Map<number, boolean>();
  for (const { algorithm } of dsSet) {
    if (!readable.has(algorithm)) readable.set(algorithm, await isAlgorithmHere(algorithm));
  }
  const here = dsSet.filter(({ algorithm }) => readable.get(algorithm));
  return (await isAnyRead(here, zone)) ? here : [];
}

async function isAnyRead(dsSet: readonly Ds[], zone: string): Promise<boolean> {
  try {
    await keysThatDsMean(dsSet, zone, []);
    return true;
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    return false;
  }
}

/** Whether the platform has it shows only when it is used. */
async function isAlgorithmHere(algorithm: number): Promise<boolean> {
  const nothing = new Uint8Array(1);
  const key = { algorithm, flags: 0, protocol: 3, keyTag: 0, publicKey: nothing, rdata: nothing };
  try {
    await isSignatureBy(key, nothing, nothing);
    return true;
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    return error.code !== "platform_unsupported";
  }
}

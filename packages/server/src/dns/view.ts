// What one resolver says about the TXT records at a name, and how secure that is.

import { labelsOf } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { verifiedRrset } from "domain-signin-verify/dnssec/chain";
import { writeRrsets } from "domain-signin-verify/dnssec/rrsets";
import { textOf } from "./txt.ts";
import type { Unusable, Validated, Validator } from "./validator.ts";

/** The octets of an AuthenticationChain (RFC 9102), and the period of its signatures in epoch seconds. */
export interface ChainProof {
  readonly chain: Uint8Array;
  readonly notBefore: number;
  readonly notAfter: number;
}

/** The TXT records that were found. `ttl` in seconds, infinite without any records. */
export interface Found {
  /** None: absent. */
  readonly values: readonly string[];
  /** Set if an alias leads to a name without the label, which is not followed. */
  readonly aliasTarget: string | null;
  /** Whether the values were made from a wildcard: no record has the name. */
  readonly isWildcard: boolean;
  readonly ttl: number;
}

/** `insecureZone` is the zone without a secure delegation, `insecureName` the first name in it. */
export type View =
  | {
      readonly security: "secure";
      readonly found: Found;
      /** Null if the records are absent or not followed. */
      readonly proof: ChainProof | null;
      /** Epoch seconds: the oldest inception of the signatures of the answer, and when the first expires. */
      readonly inception: number;
      readonly expiration: number;
    }
  | {
      readonly security: "insecure";
      readonly found: Found;
      readonly insecureZone: string;
      readonly insecureName: string;
      /** Whether the zone is signed, but only in ways that are not supported here. */
      readonly isUnsupported?: boolean | undefined;
    }
  | Unusable;

/** Looks up `name` through one resolver. Aliases are followed only if they lead to a name with `label`. */
export async function viewThrough(
  validator: Validator,
  name: string,
  label: string,
): Promise<View> {
  const isOurs = (end: string) => labelsOf(end).includes(label);
  const validated = await validator.validate(name, recordType.TXT, isOurs);
  if (validated.security === "bogus" || validated.security === "indeterminate") return validated;
  const { proof } = validated;
  const { insecure, sets } = proof;
  const ttl = Math.min(...proof.received.map((set) => set.ttl));
  const found: Found = {
    values: proof.answer?.rdatas.map(textOf) ?? [],
    aliasTarget: proof.isAccepted ? null : proof.name,
    isWildcard: proof.isWildcard,
    ttl,
  };
  if (insecure) {
    const { insecure: insecureZone, at: insecureName, isUnsupported } = insecure;
    return { security: "insecure", found, insecureZone, insecureName, isUnsupported };
  }
  const signatures = sets.flatMap((set) => set.signatures);
  return {
    security: "secure",
    found: { ...found, ttl: Math.min(ttl, ...originalTtls(validated)) },
    proof: chainOf(validated),
    inception: Math.min(...signatures.map(({ inception }) => inception)),
    expiration: Math.min(...signatures.map(({ expiration }) => expiration)),
  };
}

type Usable = Exclude<Validated, Unusable>;

/** RFC 4035 §5.3.3. */
function originalTtls({ proof }: Usable): number[] {
  return proof.sets.flatMap(({ signatures }) => signatures.map(({ originalTtl }) => originalTtl));
}

function chainOf({ proof, validatedAt }: Usable): ChainProof | null {
  // The verifier accepts no wildcards.
  if (proof.answer === null || proof.isWildcard) return null;
  const { notBefore, notAfter } = verifiedRrset(proof, proof.answer, validatedAt);
  return { chain: writeRrsets([...proof.sets, ...proof.zoneSets]), notBefore, notAfter };
}

// Verifies the owner proof of an external SP before it is passed on.

import { VerificationError } from "domain-signin-verify/errors";
import { readPublicJwk } from "domain-signin-verify/jwk";
import { verifyOwnerProof } from "domain-signin-verify/owner-proof";
import { z } from "zod";
import type { StatementWanted } from "./authorization-request.ts";

const ownerProofClaim = z.object({
  kind: z.literal("jws"),
  key: z.record(z.string(), z.unknown()),
  jws: z.string().max(16_384),
});

export interface OwnerProofContext {
  readonly domain: string;
  readonly sp: string;
  readonly acct: string;
  /** The `jkt` thumbprints of the record. */
  readonly jkt: readonly string[];
  /** Epoch seconds. */
  readonly now: number;
  /** Null if none was requested. */
  readonly wanted: StatementWanted | null;
}

/** The statement must be signed for `issuer`, which is this service. */
export async function checkOwnerProof(claim: unknown, context: OwnerProofContext, issuer: string) {
  const { wanted, domain, sp, acct, jkt, now } = context;
  if (claim === undefined || wanted === null) return { outcome: "none" } as const;
  const read = ownerProofClaim.safeParse(claim);
  if (!read.success) return { outcome: "dropped", reason: "malformed_data" } as const;
  try {
    const { kind, jws } = read.data;
    const key = readPublicJwk(read.data.key);
    await verifyOwnerProof(
      { kind, key, jws },
      domain,
      { sp: sp as `https://${string}`, acct, jkt, notBefore: 0, notAfter: now },
      {
        clientId: wanted.aud,
        redirectUri: wanted.redirect_uri,
        issuer,
        cch: wanted.cch ?? undefined,
        nonce: wanted.nonce ?? undefined,
        accessToken: undefined,
        require: "owner_proof",
        keys: [],
        now,
        trustAnchors: undefined,
        maxSignatureAge: undefined,
      },
    );
    return { outcome: "proof", part: { kind, key, jws } } as const;
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    return { outcome: "dropped", reason: error.code } as const;
  }
}

// Verifies the proofs that an external SP sends along, before they are passed on to the app.

import { VerificationError } from "domain-signin-verify/errors";
import { verifyOwnerProof } from "domain-signin-verify/owner-proof";
import { verifyProviderProof } from "domain-signin-verify/provider-proof";
import {
  type OwnerProofPart,
  type ProviderProofPart,
  readOwnerProof,
  readProviderProof,
} from "domain-signin-verify/validation-data";
import type { StatementWanted } from "./sp-authorization.ts";

/** The claims of an ID token that can contain proofs, each as the SP sent it. */
export interface ProofClaims {
  readonly provider_proof?: unknown;
  readonly owner_proof?: unknown;
}

export interface ProofContext {
  readonly domain: string;
  readonly sp: string;
  readonly acct: string;
  /** The thumbprints in the record. */
  readonly spk: readonly string[];
  readonly jkt: readonly string[];
  /** Epoch seconds. */
  readonly now: number;
  /** Null if none was requested: then no proof is passed on. */
  readonly wanted: StatementWanted | null;
}

export interface CheckedProofs {
  readonly proofs: {
    readonly provider_proof?: ProviderProofPart;
    readonly owner_proof?: OwnerProofPart;
  };
  /** What was left out, and why. */
  readonly dropped: readonly string[];
}

/** The proofs that are valid for the request of this app. They must be made for an app of the service `svc`. */
export async function checkProofs(
  claims: ProofClaims,
  context: ProofContext,
  svc: string,
): Promise<CheckedProofs> {
  const { domain, sp, acct, jkt, spk, now, wanted } = context;
  if (wanted === null) return { proofs: {}, dropped: [] };
  const dropped: string[] = [];
  const check = async <Part>(
    name: keyof ProofClaims,
    verify: (claim: unknown) => Promise<Part>,
  ) => {
    const claim = claims[name];
    if (claim === undefined) return {};
    try {
      return { [name]: await verify(claim) };
    } catch (error) {
      if (!(error instanceof VerificationError)) throw error;
      dropped.push(`${name}: ${error.code}`);
      return {};
    }
  };
  const issuer = sp as `https://${string}`;
  const record = { sp: issuer, acct, jkt, spk, notBefore: 0, notAfter: now };
  const expected = {
    clientId: wanted.aud,
    redirectUri: wanted.redirect_uri,
    cch: wanted.cch ?? undefined,
    nonce: wanted.nonce ?? undefined,
    issuer: svc,
    now,
  };
  const proofs = {
    ...(await check("provider_proof", async (claim): Promise<ProviderProofPart> => {
      const proof = readProviderProof(claim);
      const { key } = await verifyProviderProof(proof, domain, record, expected);
      return { statement: proof.statement, key };
    })),
    ...(await check("owner_proof", async (claim): Promise<OwnerProofPart> => {
      const { key } = await verifyOwnerProof(readOwnerProof(claim), domain, record, expected);
      return withKey(claim as OwnerProofPart, key);
    })),
  };
  return { proofs, dropped };
}

/** Only members that were verified: an SP can send anything besides. */
function withKey(part: OwnerProofPart, key: object): OwnerProofPart {
  if (part.kind === "jws") return { kind: part.kind, key, jws: part.jws };
  const { kind, statement, authenticator_data, client_data_json, signature } = part;
  return { kind, statement, key, authenticator_data, client_data_json, signature };
}

// Evidence: the DNS result for an account when its code was issued, stored with the grant.

import type { DnssecPart, ValidationData } from "domain-signin-verify";
import type { AccountLook } from "../account/control.ts";
import type { Assurance } from "../dns/assurance.ts";
import type { HttpRequest } from "../http/message.ts";
import type { StoredRoom } from "../http/stored-room.ts";
import type { Account } from "../store/accounts.ts";
import type { Evidence, EvidenceStore } from "../store/evidence.ts";
import { CODE_LIFETIME_S, EVIDENCE_AFTER_CODE_S, OWN_SP } from "../store/shared-values.ts";
import type { StatementFor } from "./authorization-request.ts";

/** Proofs of an external SP or of the owner's passkey, each verified. */
export type PassedOn = Pick<ValidationData, "provider_proof" | "owner_proof">;

/** The stored form, version 2. Times are in epoch seconds. Contains no secrets. */
export interface ControlEvidence extends PassedOn {
  readonly v: 2;
  readonly domain: string;
  readonly domain_since: number;
  /** The issuer and account in the record. */
  readonly sp: string;
  readonly acct: string;
  readonly redirect_uri: string;
  readonly nonce: string | null;
  /** The session of the sign-in, and the claims that the ID token is to contain: of an earlier version only. */
  readonly sid?: string;
  readonly claims?: readonly string[];
  /** `unknown`: DNS failed at issuance; `checked_at` is the time of the sign-in's check. */
  readonly dns:
    | {
        readonly status: Assurance;
        readonly record?: string;
        readonly checked_at: number;
        /** How many resolvers agreed. */
        readonly resolvers: number;
      }
    | { readonly status: "unknown"; readonly checked_at: number };
  /** Only if the zone is signed. `chain` is base64url. */
  readonly dnssec?: Omit<DnssecPart, "name" | "type">;
  /** With `dnssec`: the thumbprints of the provider's keys in the record. */
  readonly spk?: readonly string[];
  /** Only if a service requested a provider statement for its app. */
  readonly statement_for?: StatementFor;
}

/** `issuer` is our own. `controlCheckedAt` is used if there is no result. */
export function evidenceOf(
  result: AccountLook | null,
  signIn: {
    readonly account: Account;
    readonly issuer: string;
    readonly redirectUri: string;
    readonly nonce: string | null;
    readonly controlCheckedAt: number;
    readonly statementFor?: StatementFor | null;
    readonly passedOn?: PassedOn | null;
  },
): ControlEvidence {
  const { account, statementFor, passedOn } = signIn;
  return {
    v: 2,
    domain: account.domain,
    domain_since: account.createdAt,
    sp: account.sp === OWN_SP ? signIn.issuer : account.sp,
    acct: account.acct,
    redirect_uri: signIn.redirectUri,
    nonce: signIn.nonce,
    dns: result ? factsOf(result) : { status: "unknown", checked_at: signIn.controlCheckedAt },
    ...(result?.proof && {
      dnssec: {
        chain: Buffer.from(result.proof.chain).toString("base64url"),
        not_before: result.proof.notBefore,
        not_after: result.proof.notAfter,
      },
      spk: result.spk,
    }),
    ...(statementFor && { statement_for: statementFor }),
    ...passedOn,
  };
}

function factsOf(look: AccountLook): ControlEvidence["dns"] {
  const { assurance: status, checkedAt: checked_at, resolvers } = look;
  // May be missing: a lookup keeps only the first of many TXT values at a name.
  const record = look.records.find(({ problems }) => problems.length === 0)?.value;
  return { status, ...(record !== undefined && { record }), checked_at, resolvers };
}

/** The row of evidence, which is kept until 15 minutes after the code expires. Counts it for the client's network. */
export function evidenceRow(
  http: HttpRequest,
  { grantId, now }: { grantId: string; now: number },
  evidence: ControlEvidence,
  room: StoredRoom,
): Evidence {
  const expiresAt = now + CODE_LIFETIME_S + EVIDENCE_AFTER_CODE_S;
  const body = JSON.stringify(evidence);
  const networks = room.networksFor(http.clientAddress);
  room.enter({ id: grantId, causedBy: networks, octets: 400 + body.length });
  return { grantId, expiresAt, body, networks };
}

/** Null if there is none, it has expired, or another version wrote it. */
export async function readEvidence(
  evidences: EvidenceStore,
  grantId: string,
  now: number,
): Promise<ControlEvidence | null> {
  const kept = await evidences.readEvidence(grantId, now);
  if (kept === null) return null;
  const body: { readonly v: unknown } = JSON.parse(kept.body);
  return body.v === 2 ? (body as ControlEvidence) : null;
}

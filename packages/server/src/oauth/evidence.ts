// Evidence: what DNS said of an account when its code was issued, kept beside the grant.

import type { OwnerProofPart } from "domain-signin-verify";
import { type Assurance, isAtLeast, leastForAbsence } from "../dns/assurance.ts";
import { failureOf, namesAccount, type SpRecordLook, type SpRecords } from "../dns/sp-record.ts";
import { within } from "../lib/within.ts";
import type { Account } from "../store/accounts.ts";
import { OWN_SP } from "../store/shared-values.ts";
import type { Store } from "../store/store.ts";
import type { StatementFor } from "./statement-for.ts";

/** As it is stored, under a version of its own. Times in epoch seconds; no secret among it. */
export interface ControlEvidence {
  readonly v: 1;
  readonly domain: string;
  readonly domain_since: number;
  /** Issuer and account that the record names. */
  readonly sp: string;
  readonly acct: string;
  readonly redirect_uri: string;
  readonly dns: DnsFacts;
  /** Only where the zone is signed; `chain` is base64url. */
  readonly dnssec?: {
    readonly chain: string;
    readonly not_before: number;
    readonly not_after: number;
  };
  /** Of a sign-in by a key that the record lists. */
  readonly owner_proof?: OwnerProofPart;
  /** Only where a service wants a statement for its app; `jkt` is what the record then listed. */
  readonly statement_for?: StatementFor;
  readonly jkt?: readonly string[];
}

/**
 * How much the look was worth, what it found and how many resolvers said so. `unknown`: DNS told
 * nothing when the code was issued, and `checked_at` is when the sign-in saw the record.
 */
export type DnsFacts =
  | {
      readonly status: Assurance;
      readonly record?: string;
      readonly checked_at: number;
      readonly resolvers: number;
    }
  | { readonly status: "unknown"; readonly checked_at: number };

/** Milliseconds that issuing a code waits for DNS. */
const PATIENCE = 2000;
/** Seconds for which evidence outlives its code. */
const AFTER_THE_CODE = 900;

type Looks = Pick<SpRecords, "look">;
type NamingLook = Extract<SpRecordLook, { outcome: "own" | "external" }>;

/**
 * The look that names the account, `lost` if the record names something else, or `null` where DNS
 * fails, is too slow, or says so in a way that is not worth enough to take the sign-in back.
 */
export async function lookAtIssue(
  account: Account,
  { spRecords, minAssurance }: { readonly minAssurance: Assurance } & { spRecords: Looks },
): Promise<NamingLook | "lost" | null> {
  const seen = await within(PATIENCE, ask(account, spRecords));
  if (seen === null || failureOf(seen)) return null;
  if (namesAccount(seen, account)) return seen;
  return isAtLeast(seen.assurance, leastForAbsence(minAssurance)) ? "lost" : null;
}

/** A remembered look only confirms: it may be older than what the sign-in saw. */
async function ask(account: Account, spRecords: Looks): Promise<SpRecordLook> {
  const remembered = await spRecords.look(account.domain, "cached");
  const isEnough = namesAccount(remembered, account) || failureOf(remembered);
  return isEnough ? remembered : spRecords.look(account.domain, "now");
}

/** What is kept of such a look; `issuer` is ours, which the record of an account of our own names. */
export function evidenceOf(
  look: NamingLook | null,
  signIn: {
    readonly account: Account;
    readonly issuer: string;
    readonly redirectUri: string;
    readonly controlCheckedAt: number;
    readonly statementFor?: StatementFor | null;
  },
): ControlEvidence {
  const { account, issuer, redirectUri, controlCheckedAt, statementFor } = signIn;
  return {
    v: 1,
    domain: account.domain,
    domain_since: account.createdAt,
    sp: account.sp === OWN_SP ? issuer : account.sp,
    acct: account.acct,
    redirect_uri: redirectUri,
    dns: look ? factsOf(look) : { status: "unknown", checked_at: controlCheckedAt },
    ...(look?.proof && { dnssec: dnssecOf(look.proof) }),
    ...(statementFor && { statement_for: statementFor, ...(look && { jkt: look.jkt }) }),
  };
}

function factsOf({ assurance, records, checkedAt, resolvers }: NamingLook): DnsFacts {
  // Of many values at the name only the first are known, and ours may not be among them.
  const record = records.find(({ problems }) => problems.length === 0)?.value;
  return {
    status: assurance,
    ...(record !== undefined && { record }),
    checked_at: checkedAt,
    resolvers,
  };
}

function dnssecOf({ chain, notBefore, notAfter }: NonNullable<SpRecordLook["proof"]>) {
  return {
    chain: Buffer.from(chain).toString("base64url"),
    not_before: notBefore,
    not_after: notAfter,
  };
}

/** Keeps it until 15 minutes after the code's end. Of several for one grant the first counts. */
export async function keepEvidence(
  store: Pick<Store, "keepEvidence">,
  { grantId, codeExpiresAt }: { grantId: string; codeExpiresAt: number },
  evidence: ControlEvidence,
): Promise<void> {
  const expiresAt = codeExpiresAt + AFTER_THE_CODE;
  await store.keepEvidence({ grantId, expiresAt, body: JSON.stringify(evidence) });
}

/** Null where there is none, or it has expired, or another version of this software wrote it. */
export async function readEvidence(
  store: Pick<Store, "readEvidence">,
  grantId: string,
  now: number,
): Promise<ControlEvidence | null> {
  const kept = await store.readEvidence(grantId, now);
  if (kept === null) return null;
  const body: { readonly v: unknown } = JSON.parse(kept.body);
  return body.v === 1 ? (body as ControlEvidence) : null;
}

// The record that a domain must publish for an account of this service.

import { formatSpRecord } from "domain-signin-verify/record";
import type { Passkey } from "../store/passkeys.ts";
import { spRecordName } from "./sp-record.ts";

export interface OwnAccount {
  readonly domain: string;
  readonly acct: string;
  /** The thumbprints of this service's keys for provider proofs, if the record lists them. */
  readonly spk: readonly string[];
  /** The thumbprints of the account's passkeys, for owner proofs. */
  readonly jkt?: readonly string[] | undefined;
}

/** Where records list the service's keys: "auto" where the zone is signed. */
export type RecordSpk = "auto" | "always";

export type StatementKeysFor = (zone: { readonly isSecure: boolean }) => readonly string[];

/** The thumbprints for `spk`. Elsewhere than in signed zones, few apps can use them, and the record stays short. */
export function createStatementKeysFor(
  recordSpk: RecordSpk = "auto",
  statementKeys: () => readonly string[],
): StatementKeysFor {
  return ({ isSecure }) => (isSecure || recordSpk === "always" ? statementKeys() : []);
}

const RECORD_TTL_S = 300;

export function ownRecord(issuer: string, { domain, acct, spk, jkt }: OwnAccount) {
  const value = formatSpRecord({ sp: issuer, acct, spk, jkt });
  return { name: spRecordName(domain), type: "TXT", value, ttl: RECORD_TTL_S } as const;
}

/** The thumbprints to list. Listing a passkey that a restore has brought back would confirm it. */
export function confirmedThumbprints(passkeys: readonly Passkey[]): string[] {
  return passkeys
    .filter(({ unconfirmed }) => unconfirmed === 0)
    .map(({ thumbprint }) => thumbprint);
}

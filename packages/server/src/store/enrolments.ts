// Enrolments: the end of a set-up, which creates its account.

import { type Sql, toRecord, write, writeWhen } from "../database/rows.ts";
import {
  ACCOUNT_IS_LIVE,
  type Account,
  again,
  COLUMNS,
  enrolWrites,
  type LiveAccounts,
  WAKE,
} from "./accounts.ts";
import { insertCodes } from "./code-sets.ts";
import { ending } from "./ending.ts";
import { KEEP_PASSKEY, type NewPasskey, passkeyValues } from "./passkeys.ts";
import type { SessionLifetimes } from "./session-lifetimes.ts";
import { takeTurn } from "./session-start.ts";
import { FINISHED_AGAIN_S, OWN_SP } from "./shared-values.ts";
import { type NewSignIn, type SignedIn, signedInOf, signInWrites, waitsFor } from "./sign-ins.ts";

/** A set-up whose record was seen. */
export interface Enrolment {
  readonly domain: string;
  readonly acct: string;
  /** The id of the account to be created. */
  readonly accountId: string;
  /** Of the interaction that finishes it. */
  readonly finishHash: string;
  /** Its passkey, whose assertion was verified. */
  readonly passkey?: Omit<NewPasskey, "accountId"> | undefined;
}

/** The end of a set-up. */
export interface NewEnrolment {
  readonly enrolment: Enrolment;
  readonly recoveryCodeHashes: readonly string[];
  /** The time of the look. */
  readonly now: number;
  /** The authentication in the interaction that finishes it. */
  readonly signIn?: NewSignIn;
}

/** The account of a set-up, whether this very call created it, and the sign-in that it began with. */
export interface Enrolled {
  readonly account: Account;
  readonly isNew: boolean;
  readonly signedIn: SignedIn | null;
}

/**
 * Why a set-up is not finished. `elsewhere`: another interaction has finished it. `ended`: the account has ended, so the
 * set-up is used up. `full`: the owned domain has no room. `conflict`: as in `adoptAccount`. `not waiting`: the
 * interaction does not wait for the authentication any more, or its row is gone.
 */
export type NotEnrolled = "conflict" | "elsewhere" | "ended" | "full" | "not waiting";

const FINISHED_BY = "SELECT finish_hash FROM accounts WHERE id = ?1 AND created_at > ?2";
// An update, so that an end of the account either is seen here, or removes what the same commit stores of it.
/** The account, if this interaction finishes its set-up and a record names it. */
const FINISHED = `
  UPDATE accounts SET finish_hash = finish_hash
  WHERE id = ?1 AND created_at > ?2 AND finish_hash = ?3 AND ${ACCOUNT_IS_LIVE}
  RETURNING ${COLUMNS}`;

const HAS_ENDED = "SELECT 1 AS ended FROM accounts WHERE id = ?1 AND ended_at IS NOT NULL";

const CONFIRM_CODES = "UPDATE accounts SET finish_hash = NULL WHERE id = ?1 AND finish_hash = ?2";

export type EnrolmentStore = ReturnType<typeof enrolmentStore>;

export function enrolmentStore(
  sql: Sql,
  { makeLive, isFull, ofOwner }: LiveAccounts,
  lifetimes: SessionLifetimes,
) {
  const namedIn = ({ accountId: id, domain, acct }: Enrolment) => ({
    id,
    domain,
    sp: OWN_SP,
    acct,
  });

  /** Null if one of the conditions is not met; then nothing has taken effect. */
  async function commit(input: NewEnrolment): Promise<Enrolled | null> {
    const { enrolment, recoveryCodeHashes, now, signIn } = input;
    const { accountId, finishHash, passkey } = enrolment;
    const named = namedIn(enrolment);
    // All who have the cookie have the same codes, so nothing is lost if another interaction finishes.
    const codes = insertCodes(accountId, { codeSet: null, madeAt: now }, recoveryCodeHashes);
    const rows = await sql.engine.commit([
      ...enrolWrites(named, now, [...ofOwner(named), finishHash]),
      writeWhen(FINISHED, accountId, now - FINISHED_AGAIN_S, finishHash),
      write(...codes),
      ...(passkey ? [write(KEEP_PASSKEY, ...passkeyValues({ ...passkey, accountId }))] : []),
      ...(signIn ? [takeTurn(signIn.session), ...signInWrites(signIn, lifetimes)] : []),
    ]);
    const [, created = [], , [account] = []] = rows ?? [];
    if (rows === null || account === undefined) return null;
    const signedIn = signIn === undefined ? null : await signedInOf(sql, signIn, rows);
    return { account: toRecord<Account>(account), isNew: created.length > 0, signedIn };
  }

  /** Why `commit` was refused. Wakes the account, which the record names, whoever finished its set-up. */
  async function refusal({ enrolment, now, signIn }: NewEnrolment): Promise<NotEnrolled | Account> {
    const { accountId, finishHash } = enrolment;
    if (signIn !== undefined && !(await waitsFor(sql, signIn))) return "not waiting";
    const named = namedIn(enrolment);
    if (await sql.returnsRow(HAS_ENDED, accountId)) return "ended";
    if (await isFull(named)) return "full";
    const account = await makeLive(named, now, WAKE);
    if (account === "conflict") return account;
    const [by] = await sql.rows(FINISHED_BY, accountId, now - FINISHED_AGAIN_S);
    return by?.finish_hash === finishHash ? account : "elsewhere";
  }

  return {
    /**
     * Finishes the set-up in one commit: creates its account, with passkey and codes from the first moment, as the live
     * one of its domain, puts any other to sleep, and signs in. The statement that creates the account decides which
     * interaction finishes the set-up. For that one, the call is idempotent, until `confirmCodes` and for a day. Of
     * concurrent callers one gets `isNew`, and never more than the owned domain has room for.
     */
    enrol: ending(async (input: NewEnrolment): Promise<Enrolled | NotEnrolled> => {
      const enrolled = await again(() => commit(input));
      if (enrolled !== null) return enrolled;
      const refused = await refusal(input);
      if (typeof refused === "string") return refused;
      // Another request of this interaction was faster, or changed the account in between.
      return (await again(() => commit(input))) ?? "conflict";
    }),

    hasEndedAccount: (accountId: string) => sql.returnsRow(HAS_ENDED, accountId),

    /** The recovery codes were saved: nobody can get them again. */
    confirmCodes: (accountId: string, finishHash: string) =>
      sql.run(CONFIRM_CODES, accountId, finishHash),

    /** The same with the change of the interaction. */
    writeConfirmed: (accountId: string, finishHash: string) =>
      write(CONFIRM_CODES, accountId, finishHash),
  };
}

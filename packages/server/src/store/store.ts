// The store: atomic operations, in one file for each aggregate.
//
// Times are whole epoch seconds. An operation that can succeed only once is one conditional statement; its
// comment describes the result for concurrent callers. Every operation rejects with `UnavailableError` if
// the database does not respond; whether it took effect is unknown then.

import type { SqlEngine } from "../database/engine.ts";
import { sqlOf } from "../database/rows.ts";
import { UnavailableError } from "../lib/errors.ts";
import { accountAdminStore, accountStore, liveAccounts } from "./accounts.ts";
import { attemptStore } from "./attempts.ts";
import { cleanUpStore } from "./clean-up.ts";
import { clientStore } from "./clients.ts";
import { recoveryCodeStore } from "./code-sets.ts";
import { consentStore } from "./consents.ts";
import { accountWalkStore } from "./due-accounts.ts";
import { enrolmentStore } from "./enrolments.ts";
import { evidenceStore } from "./evidence.ts";
import { grantStore } from "./grants.ts";
import { historyStore } from "./history-entries.ts";
import { installationStore } from "./installation.ts";
import { interactionStore } from "./interactions.ts";
import { keyStore } from "./keys.ts";
import { logoutStore } from "./logouts.ts";
import { passkeyStore } from "./passkeys.ts";
import { acceptedAnswerStore, rememberedStore, secureDomainStore } from "./remembered.ts";
import { removedPasskeyStore } from "./removed-passkeys.ts";
import { revivedStore } from "./revived.ts";
import { type SessionDays, sessionLifetimes } from "./session-lifetimes.ts";
import { sessionStore } from "./sessions.ts";
import { ACCOUNTS_PER_DOMAIN } from "./shared-values.ts";
import { signInCountStore } from "./sign-in-counts.ts";
import { spClientStore } from "./sp-clients.ts";

export type { JoinedWrite } from "../database/engine.ts";

export type Store = ReturnType<typeof createStore>;

/** The aggregates by name. A handler receives only those that it uses. */
export type Aggregates = Omit<Store, "ping" | "slowness" | "close">;

interface StoreSettings extends SessionDays {
  readonly accountsPerDomain?: number | undefined;
  /** See `grantChanges`. */
  readonly statementTime?: string | undefined;
}

/** Milliseconds. */
const SLOW_WRITE_MS = 2000;
const LATE_MARK_MS = 30_000;

const seconds = (milliseconds: number) => `${Math.floor(milliseconds / 1000)} s`;

export function createStore(engine: SqlEngine, settings: StoreSettings = {}) {
  const sql = sqlOf(engine);
  const lifetimes = sessionLifetimes(settings);
  const lives = liveAccounts(sql, settings.accountsPerDomain ?? ACCOUNTS_PER_DOMAIN);
  const grants = grantStore(sql, settings.statementTime);
  return {
    grants,
    accounts: accountStore(sql, lives),
    accountWalk: accountWalkStore(sql),
    accountAdmin: accountAdminStore(sql),
    acceptedAnswers: acceptedAnswerStore(sql),
    enrolments: enrolmentStore(sql, lives, lifetimes),
    recoveryCodes: recoveryCodeStore(sql),
    consents: consentStore(sql),
    sessions: sessionStore(sql, lifetimes),
    interactions: interactionStore(sql, lifetimes),
    /** Clients and resources. */
    registrations: clientStore(sql),
    keys: keyStore(sql),
    attempts: attemptStore(sql),
    evidences: evidenceStore(sql),
    histories: historyStore(sql),
    passkeys: passkeyStore(sql),
    removedPasskeys: removedPasskeyStore(sql),
    logouts: logoutStore(sql),
    secureDomains: secureDomainStore(sql),
    remembered: rememberedStore(sql),
    spClients: spClientStore(sql),
    signInCounts: signInCountStore(sql),
    cleanUp: cleanUpStore(sql, lifetimes),
    installation: installationStore(sql),
    revived: revivedStore(sql),
    async ping() {
      const problem = engine.problem?.() ?? null;
      if (problem !== null) throw new UnavailableError(problem);
      await sql.run("SELECT 1 AS alive");
    },
    /** Why other nodes should be preferred, although this one may still answer; null if there is no reason. */
    slowness(): string | null {
      const waitMs = engine.oldestWaitMs?.() ?? 0;
      if (waitMs > SLOW_WRITE_MS) return `a write has waited ${seconds(waitMs)} for the database`;
      const markMs = grants.oldestMarkMs();
      if (markMs <= LATE_MARK_MS) return null;
      return `a mark of an undelivered answer has waited ${seconds(markMs)} for the database`;
    },
    async close() {
      await grants.closeMarks();
      await engine.close();
    },
  };
}

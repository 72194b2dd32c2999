// The store: atomic operations, in one file for each aggregate.
//
// Times are whole epoch seconds. An operation that can succeed only once is one conditional statement; its
// comment describes the result for concurrent callers. Every operation rejects with `UnavailableError` if
// the database does not respond; whether it took effect is unknown then.

import type { SqlEngine } from "../database/engine.ts";
import { sqlOf } from "../database/rows.ts";
import { UnavailableError } from "../lib/errors.ts";
import { acceptedAnswerStore } from "./accepted-answers.ts";
import {
  type AccountAdminStore,
  type AccountStore,
  type AccountWalkStore,
  accountAdminStore,
  accountStore,
  accountWalkStore,
} from "./accounts.ts";
import { type AttemptStore, attemptStore } from "./attempts.ts";
import { cleanUpStore } from "./clean-up.ts";
import { type ClientStore, clientStore } from "./clients.ts";
import { type ConsentStore, consentStore } from "./consents.ts";
import { endingStore } from "./endings.ts";
import { type EnrolmentStore, enrolmentStore } from "./enrolments.ts";
import { type EvidenceStore, evidenceStore } from "./evidence.ts";
import { type GrantStore, grantStore } from "./grants.ts";
import { type HistoryStore, historyStore } from "./history.ts";
import { installationStore } from "./installation.ts";
import { type InteractionStore, interactionStore } from "./interactions.ts";
import { keyStore } from "./keys.ts";
import { type LogoutStore, logoutStore } from "./logouts.ts";
import { type PasskeyStore, passkeyStore } from "./passkeys.ts";
import { type RecoveryCodeStore, recoveryCodeStore } from "./recovery-codes.ts";
import { rememberedStore } from "./remembered.ts";
import { revivedStore } from "./revived.ts";
import { secureDomainStore } from "./secure-domains.ts";
import { type SessionDays, sessionLifetimes } from "./session-lifetimes.ts";
import { type SessionStore, sessionStore } from "./sessions.ts";
import { ACCOUNTS_PER_DOMAIN } from "./shared-values.ts";
import { spClientStore } from "./sp-clients.ts";

export type Store = ReturnType<typeof createStore>;

/** The aggregates by name. A handler receives only those that it uses; the types hide the others. */
export interface Aggregates {
  readonly grants: GrantStore;
  readonly accounts: AccountStore;
  readonly accountWalk: AccountWalkStore;
  readonly accountAdmin: AccountAdminStore;
  readonly enrolments: EnrolmentStore;
  readonly recoveryCodes: RecoveryCodeStore;
  readonly consents: ConsentStore;
  readonly sessions: SessionStore;
  readonly interactions: InteractionStore;
  readonly attempts: AttemptStore;
  readonly evidences: EvidenceStore;
  readonly histories: HistoryStore;
  readonly passkeys: PasskeyStore;
  readonly logouts: LogoutStore;
  readonly registrations: ClientStore;
}

export function aggregatesOf(store: Store): Aggregates {
  return {
    grants: store,
    accounts: store,
    accountWalk: store,
    accountAdmin: store,
    enrolments: store,
    recoveryCodes: store,
    consents: store,
    sessions: store,
    interactions: store,
    attempts: store,
    evidences: store,
    histories: store,
    passkeys: store,
    logouts: store,
    registrations: store,
  };
}

/** What the operator can set. */
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
  const { accountsPerDomain = ACCOUNTS_PER_DOMAIN } = settings;
  const grants = grantStore(sql, settings.statementTime);
  return {
    ...grants,
    ...accountStore(sql, accountsPerDomain),
    ...accountWalkStore(sql),
    ...accountAdminStore(sql),
    ...acceptedAnswerStore(sql),
    ...enrolmentStore(sql, accountsPerDomain),
    ...recoveryCodeStore(sql),
    ...consentStore(sql),
    ...sessionStore(sql, lifetimes),
    ...interactionStore(sql, lifetimes),
    ...clientStore(sql),
    ...keyStore(sql),
    ...endingStore(sql),
    ...attemptStore(sql),
    ...evidenceStore(sql),
    ...historyStore(sql),
    ...passkeyStore(sql),
    ...logoutStore(sql),
    ...secureDomainStore(sql),
    ...rememberedStore(sql),
    ...spClientStore(sql),
    ...cleanUpStore(sql, lifetimes),
    ...installationStore(sql),
    ...revivedStore(sql),
    /** Resolves when the database answers. */
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

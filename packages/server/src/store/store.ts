// The store: atomic operations, in one file for each aggregate.
//
// Times are whole epoch seconds. An operation that can succeed only once is one conditional statement; its
// comment describes the result for concurrent callers. Every operation rejects with `UnavailableError` if
// the database does not respond; whether it took effect is unknown then.

import { accountStore, accountWalkStore } from "./accounts.ts";
import { attemptStore } from "./attempts.ts";
import { cleanUpStore } from "./clean-up.ts";
import { clientStore } from "./clients.ts";
import { consentStore } from "./consents.ts";
import { deviceStore } from "./devices.ts";
import type { SqlEngine } from "./engine.ts";
import { enrolmentStore } from "./enrolments.ts";
import { evidenceStore } from "./evidence.ts";
import { grantStore } from "./grants.ts";
import { interactionStore } from "./interactions.ts";
import { keyStore } from "./keys.ts";
import { sqlOf } from "./rows.ts";
import { secureDomainStore } from "./secure-domains.ts";
import { sessionStore } from "./sessions.ts";
import { spClientStore } from "./sp-clients.ts";

export type Store = ReturnType<typeof createStore>;

export function createStore(engine: SqlEngine) {
  const sql = sqlOf(engine);
  return {
    ...grantStore(sql),
    ...accountStore(sql),
    ...accountWalkStore(sql),
    ...enrolmentStore(sql),
    ...deviceStore(sql),
    ...consentStore(sql),
    ...sessionStore(sql),
    ...interactionStore(sql),
    ...clientStore(sql),
    ...keyStore(sql),
    ...attemptStore(sql),
    ...evidenceStore(sql),
    ...secureDomainStore(sql),
    ...spClientStore(sql),
    ...cleanUpStore(sql),
    /** Resolves when the database answers. */
    ping: () => sql.run("SELECT 1 AS alive"),
    close: () => engine.close(),
  };
}

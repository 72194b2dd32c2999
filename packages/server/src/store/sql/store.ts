// The store on any SQL engine: all the statements, one object.

import type { Store } from "../store.ts";
import { accountStatements } from "./accounts.ts";
import { attemptStatements } from "./attempts.ts";
import { cleanUpStatements } from "./clean-up.ts";
import { clientStatements } from "./clients.ts";
import type { SqlEngine } from "./engine.ts";
import { evidenceStatements } from "./evidence.ts";
import { grantStatements } from "./grants.ts";
import { interactionStatements } from "./interactions.ts";
import { keyStatements } from "./keys.ts";
import { secureDomainStatements } from "./secure-domains.ts";
import { sessionStatements } from "./sessions.ts";
import { spClientStatements } from "./sp-clients.ts";

export function sqlStore(engine: SqlEngine): Store {
  return {
    ...grantStatements(engine),
    ...accountStatements(engine),
    ...sessionStatements(engine),
    ...interactionStatements(engine),
    ...clientStatements(engine),
    ...keyStatements(engine),
    ...attemptStatements(engine),
    ...evidenceStatements(engine),
    ...secureDomainStatements(engine),
    ...spClientStatements(engine),
    ...cleanUpStatements(engine),
    async ping() {
      await engine.execute("SELECT 1 AS alive", []);
    },
    close: () => engine.close(),
  };
}

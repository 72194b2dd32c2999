// The statements that many requests share: which verbs of the store run one, and its text for each engine.

import { expect, test } from "vitest";
import { redemptionOf, rotationOf } from "../../test/support/store-rows.ts";
import type { GroupedStatement, SqlStatement } from "../database/engine.ts";
import type { Grant } from "./grant-row.ts";
import { createStore, type Store } from "./store.ts";

const grant = { id: "g", clientId: "app", redirectUri: "uri", generation: 1 } as Grant;
const code = redemptionOf(grant);
const token = rotationOf(grant);
const unbegun = { isBegun: false, isUnknown: false, changedSince: null };

const VERBS: Readonly<Record<string, (store: Store) => unknown>> = {
  redeemCode: (store) => store.grants.redeemCode(code),
  rotateRefreshToken: (store) => store.grants.rotateRefreshToken(token),
  redeliverCode: (store) => store.grants.redeliverCode(code),
  redeliverRefreshToken: (store) => store.grants.redeliverRefreshToken(token),
  markUndelivered: async (store) => {
    store.grants.markUndelivered({ presented: token, ...unbegun });
    await store.grants.marksWritten();
  },
  readLiveGrant: (store) => store.grants.readLiveGrant("g"),
  readAccount: (store) => store.accounts.readAccount("sub_1"),
  findSecureDomain: (store) => store.secureDomains.findSecureDomain("alice.test"),
  findSpClients: (store) => store.spClients.findSpClients("https://sp.test"),
};

/** The only statement of a verb. */
async function statementOf(verb: string, statementTime?: string): Promise<GroupedStatement> {
  const ran: SqlStatement[] = [];
  const store = createStore(
    {
      async execute(statement) {
        ran.push(statement);
        return [];
      },
      commit: async () => [],
      migrate: async () => {},
      close: async () => {},
    },
    { statementTime },
  );
  await VERBS[verb]?.(store);
  const [statement, second] = ran;
  if (typeof statement !== "object" || second !== undefined) {
    throw new Error(`${verb} runs ${ran.length} statements, which no other request shares`);
  }
  return statement;
}

test("each of these verbs runs one statement that is grouped", async () => {
  const texts: string[] = [];
  for (const verb of Object.keys(VERBS)) {
    const { sql, columns, ofMany } = await statementOf(verb);
    const { sqlite, postgres } = ofMany;
    const lines = Object.entries({ one: sql, sqlite: sqlite ?? "as for one", postgres });
    texts.push(
      `## ${verb}: ${columns.join(", ")}`,
      ...lines.map(([name, text]) => `${name}: ${text.replace(/\s+/g, " ")}`),
      "",
    );
  }
  await expect(texts.join("\n")).toMatchFileSnapshot("./grouped-statements.snapshot.txt");
});

test("the statements are the same objects for each store, so that stores share their groups", async () => {
  for (const verb of Object.keys(VERBS))
    expect(await statementOf(verb)).toBe(await statementOf(verb));
});

test("on a database with a clock of its own, changes have the time of the statement", async () => {
  const { sql, ofMany } = await statementOf("rotateRefreshToken", "clock()");
  for (const text of [sql, ofMany.sqlite, ofMany.postgres]) {
    expect(text).toContain("rotated_at = clock(),");
  }
});

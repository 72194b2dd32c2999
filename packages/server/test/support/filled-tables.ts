// A database with odd rows in every table of the schema, and everything that a database holds.

import { randomBytes } from "node:crypto";
import type { SqlEngine, SqlRow, SqlValue } from "../../src/database/engine.ts";
import { schemaTables, type Table } from "../../src/database/schema-tables.ts";

/** Engines could disagree on the order, the length or the escapes of these. */
const ODD_TEXTS = [
  ...[
    "",
    " ",
    "a",
    "A",
    "Z",
    "ä",
    "\u00e4\u0308",
    "ß",
    "\uff5e",
    "\ufffd",
    "😀",
    "\u202eא",
    "NULL",
  ],
  ...[
    '"',
    "'",
    "\\",
    "\\\\",
    '\\"',
    "{a,b}",
    "}",
    ",",
    "\n\t\r",
    "\u0001",
    "\u007f",
    "$1 ?1",
    "é".repeat(999),
  ],
];
const ODD_INTEGERS = [
  0,
  -1,
  1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 31,
  -(2 ** 32),
];

/** Adds `count` rows to every table of a SQLite database. */
export async function fillTables(engine: SqlEngine, count: number): Promise<void> {
  // Otherwise each statement would wait for the disk.
  await engine.execute("PRAGMA synchronous = OFF", []);
  for (const table of await schemaTables()) {
    const required = await requiredColumns(engine, table);
    const names = table.columns.map(({ name }) => name);
    const places = names.map((_, index) => `?${index + 1}`);
    const insert = `INSERT INTO ${table.name} (${names}) VALUES (${places}) ON CONFLICT DO NOTHING`;
    for (let row = 0; row < count; row++) {
      const values = table.columns.map(({ name, type }, index): SqlValue => {
        if (name === "moved_to") return null;
        if (!required.has(name) && (row + index) % 3 === 0) return null;
        const odd = row * 5 + index;
        // Past the list they are all different.
        if (type === "BIGINT") return ODD_INTEGERS[row < 7 ? odd % 7 : odd] ?? odd - 200;
        const text = ODD_TEXTS[odd % ODD_TEXTS.length] ?? "";
        // Of different lengths, so that rows are ordered by what is odd about them.
        return row < ODD_TEXTS.length ? text : text + randomBytes(6).toString("hex");
      });
      await engine.execute(insert, values);
    }
  }
  await engine.execute("PRAGMA synchronous = FULL", []);
}

async function requiredColumns(engine: SqlEngine, { name, key }: Table): Promise<Set<unknown>> {
  const sql = `SELECT name FROM pragma_table_info('${name}') WHERE "notnull" = 1`;
  const rows = await engine.execute(sql, []);
  return new Set([...rows.map((row) => row.name), ...key.map((column) => column.name)]);
}

/** All rows of all tables, as sorted lines of JSON; where the data was moved is left out. */
export async function contents(engine: SqlEngine): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name, columns } of await schemaTables()) {
    const rows = await engine.execute(`SELECT * FROM ${name}`, []);
    found[name] = rows
      .map((row) =>
        lineOf(
          row,
          columns.map((column) => column.name),
        ),
      )
      .sort();
  }
  return found;
}

function lineOf(row: SqlRow, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => (name === "moved_to" ? null : row[name])));
}

// Statements that many requests share, defined as data: reads of rows by a key, and updates of the row with a key.
//
// A definition has a text for one key, and for each engine a text for any number of keys. On SQLite, the text for
// many keys takes one JSON array and returns each row as one, because the libraries need longer to bind and read
// seven values than SQLite needs for the rest.

import type { GroupedStatement, SqlRow, SqlValue } from "./engine.ts";

interface ReadDefinition {
  /** A table, or several that are joined. */
  readonly from: string;
  /** Columns such as `id` or `things.id AS thing__id`, with commas. The first is the key, which is a text. */
  readonly columns: string;
  /** What the rows must meet beside the key. */
  readonly where?: string;
}

interface UpdateDefinition {
  readonly update: string;
  /** The primary key, which is a text. */
  readonly key: string;
  /** The values that follow the key, in this order: `given.NAME` in `set` and `where`. */
  readonly values: Readonly<Record<string, "TEXT" | "BIGINT">>;
  /**
   * Values that follow, which most updates of one moment have in common. On SQLite, only updates with the same ones share
   * a statement, which gets them once: to read one from the JSON of each row takes half a microsecond.
   */
  readonly shared?: UpdateDefinition["values"];
  readonly set: string;
  /** What the row must meet beside the key. */
  readonly where: string;
  /** The columns of a changed row that follow the key, or reads of other rows such as `(SELECT … ) AS thing`. */
  readonly returning: string;
}

/** With fewer columns, SQLite gains little by JSON. */
const MIN_COLUMNS = 8;
const COLUMN = /^(?:[\w.]+(?: AS \w+)?|\(SELECT [^()?]+\) AS \w+)$/;
/** Outside of parentheses, it would hold for all keys together, or find rows of other keys. */
const CLAUSE_OF_ALL =
  /\b(?:OR|ORDER|GROUP|HAVING|LIMIT|OFFSET|UNION|EXCEPT|INTERSECT|RETURNING)\b/i;

/**
 * Reads the rows with a key. Throws `TypeError` if the definition is none of one key.
 *
 * @example
 * const BY_ID = defineRead({ from: "things", columns: "id, name", where: "removed_at IS NULL" });
 * const rows = await engine.execute(BY_ID, [id]);
 */
export function defineRead({ from, columns, where }: ReadDefinition): GroupedStatement {
  const list = columnsIn(columns);
  requireOneKey(from, where ?? "");
  const expressions = list.map(expressionOf);
  const select = (returned: string, ofKey: string) =>
    `SELECT ${returned} FROM ${from} WHERE ${expressions[0]} ${ofKey}${where ? ` AND ${where}` : ""}`;
  const json = `json_array(${expressions.join(", ")}) AS row`;
  const keys = "SELECT jsonb_array_elements_text(CAST(?1 AS jsonb))";
  const [key = "", ...others] = list.map(nameOf);
  return {
    isRead: true,
    shared: 0,
    sql: select(columns, "= ?1"),
    columns: [key, ...others],
    ofMany: {
      sqlite:
        list.length < MIN_COLUMNS ? null : select(json, "IN (SELECT value FROM json_each(?1))"),
      postgres: select(columns, `= ANY(ARRAY(${keys}))`),
    },
  };
}

/**
 * Updates the row with a key, and returns it. Throws `TypeError` if the definition is none of one key.
 *
 * The text for many keys on PostgreSQL leaves out rows that another transaction has locked. So it never waits for a row
 * while it holds others, which delays nobody and excludes deadlocks. For a row that it does not return, the text for one
 * key decides.
 *
 * @example
 * const RENAME = defineUpdate({
 *   update: "things",
 *   key: "id",
 *   values: { new_name: "TEXT" },
 *   set: "name = given.new_name",
 *   where: "removed_at IS NULL",
 *   returning: "name",
 * });
 * const [row] = await engine.execute(RENAME, [id, newName]);
 */
export function defineUpdate(definition: UpdateDefinition): GroupedStatement {
  const { update, key, values, shared = {}, set, where, returning } = definition;
  const list = [...columnsIn(key), ...(returning === "" ? [] : columnsIn(returning))];
  requireOneKey(set, where);
  requireValues({ ...values, ...shared }, `${set} ${where}`);
  const own = ["key", ...Object.keys(values)];
  const types = Object.entries({ key: "TEXT", ...values, ...shared });
  const text = (given: string, returned: string, join = "") =>
    `UPDATE ${update} SET ${set} FROM (SELECT ${given}) AS given${join}
      WHERE ${key} = given.key AND ${where} RETURNING ${returned}`;
  // PostgreSQL cannot infer the types.
  const typed = (place: (index: number) => string) =>
    types.map(([name, type], index) => `CAST(${place(index)} AS ${type}) AS ${name}`).join(", ");
  const untyped = types.map(([name], index) => {
    const isOwn = index < own.length;
    return `${isOwn ? `value ->> ${index}` : `?${index - own.length + 2}`} AS ${name}`;
  });
  const returned = list.join(", ");
  const inArray = list.map(expressionOf).join(", ");
  const rows = "jsonb_array_elements(CAST(?1 AS jsonb))";
  const free = `SELECT ${key} AS free_key FROM ${update}
      WHERE ${key} = ANY(ARRAY(SELECT value ->> 0 FROM ${rows})) FOR NO KEY UPDATE SKIP LOCKED`;
  const eachTyped = `${typed((index) => `value ->> ${index}`)} FROM ${rows}`;
  const ofFree = text(eachTyped, returned, " JOIN free ON free_key = given.key");
  const ofOne = typed((index) => `?${index + 1}`);
  return {
    isRead: false,
    shared: Object.keys(shared).length,
    sql: text(ofOne, returned),
    columns: [key, ...list.slice(1).map(nameOf)],
    ofMany: {
      sqlite: text(`${untyped.join(", ")} FROM json_each(?1)`, `json_array(${inArray}) AS row`),
      postgres: `WITH free AS (${free}) ${ofFree}`,
    },
  };
}

function columnsIn(list: string): string[] {
  const columns = list.split(/,\s*/);
  for (const column of columns) if (!COLUMN.test(column)) refuse(`"${column}" is not a column`);
  return columns;
}

function expressionOf(column: string): string {
  return column.replace(/ AS \w+$/, "");
}

/** The last word, which follows ` AS ` or the name of a table. */
function nameOf(column: string): string {
  return column.replace(/.*[ .]/, "");
}

function requireOneKey(...texts: readonly string[]): void {
  for (const text of texts) {
    const [clause] = CLAUSE_OF_ALL.exec(withoutParentheses(text)) ?? [];
    if (clause !== undefined) refuse(`it has ${clause}`);
    if (text.includes("?")) refuse("it has a parameter of its own");
  }
}

function requireValues(values: UpdateDefinition["values"], text: string): void {
  for (const [, name = ""] of text.matchAll(/\bgiven\.(\w+)/g)) {
    if (!(name in values)) refuse(`it has no value for given.${name}`);
  }
}

function refuse(problem: string): never {
  throw new TypeError(`the statement cannot be grouped: ${problem}`);
}

function withoutParentheses(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, "");
  return shorter === text ? text : withoutParentheses(shorter);
}

/** The rows of each key. */
export type RowsByKey = ReadonlyMap<SqlValue, readonly SqlRow[]>;

/** From the JSON array of the rows that SQLite returns for many keys. */
export function rowsInJson({ columns }: GroupedStatement, json: string): RowsByKey {
  const byKey = new Map<SqlValue, SqlRow[]>();
  for (const values of JSON.parse(json) as SqlValue[][]) {
    const row: Record<string, SqlValue> = {};
    for (const [index, column] of columns.entries()) row[column] = values[index] ?? null;
    addRow(byKey, values[0] ?? null, row);
  }
  return byKey;
}

/** From the rows that PostgreSQL returns for many keys. */
export function rowsByKey(statement: GroupedStatement, rows: readonly SqlRow[]): RowsByKey {
  const [key] = statement.columns;
  const byKey = new Map<SqlValue, SqlRow[]>();
  for (const row of rows) addRow(byKey, row[key] ?? null, row);
  return byKey;
}

function addRow(byKey: Map<SqlValue, SqlRow[]>, key: SqlValue, row: SqlRow): void {
  const rows = byKey.get(key);
  if (rows === undefined) byKey.set(key, [row]);
  else rows.push(row);
}

interface KeyRead {
  readonly key: string;
  resolve(rows: readonly SqlRow[]): void;
  reject(error: unknown): void;
}

/**
 * `readMany` gets the keys as a JSON array. The reads of all requests that have come to this step together are one
 * statement, which runs when the last of them has asked. Each rejects if it fails.
 */
export function groupReads(
  readMany: (statement: GroupedStatement, keys: string) => RowsByKey | Promise<RowsByKey>,
) {
  const groups = new Map<GroupedStatement, KeyRead[]>();

  async function runGroup(statement: GroupedStatement): Promise<void> {
    const group = groups.get(statement) ?? [];
    groups.delete(statement);
    try {
      const keys = new Set(group.map(({ key }) => key));
      const rows = await readMany(statement, JSON.stringify([...keys]));
      for (const { key, resolve } of group) resolve(rows.get(key) ?? []);
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    }
  }

  return (statement: GroupedStatement, key: string) =>
    new Promise<readonly SqlRow[]>((resolve, reject) => {
      const group = groups.get(statement);
      if (group !== undefined) {
        group.push({ key, resolve, reject });
        return;
      }
      groups.set(statement, [{ key, resolve, reject }]);
      queueMicrotask(() => void runGroup(statement));
    });
}

// Every table of the schema, with its columns and its primary key.

import { migrate } from "./migrations.ts";
import { openSqlite } from "./sqlite.ts";

export interface Column {
  readonly name: string;
  readonly type: "TEXT" | "BIGINT";
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly Column[];
}

const COLUMNS = `
  SELECT t.name AS table_name, c.name AS name, c.type AS type, c.pk AS place
    FROM sqlite_schema t JOIN pragma_table_info(t.name) c
   WHERE t.type = 'table' AND t.name <> 'schema_version' AND t.name NOT LIKE 'sqlite%'
   ORDER BY t.name, c.cid`;

/** The tables of a new database: with those of every migration, and without those of other programs. */
export async function schemaTables(): Promise<readonly Table[]> {
  const engine = openSqlite(":memory:");
  try {
    await migrate(engine);
    const found = (await engine.execute(COLUMNS, [])).map((row) => ({
      table: String(row.table_name),
      column: { name: String(row.name), type: typeIn(row.type) },
      place: Number(row.place),
    }));
    return [...new Set(found.map(({ table }) => table))].map((name) => {
      const own = found.filter(({ table }) => table === name);
      const key = own.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place);
      const columnsOf = (rows: typeof own) => rows.map(({ column }) => column);
      return { name, columns: columnsOf(own), key: columnsOf(key) };
    });
  } finally {
    await engine.close();
  }
}

function typeIn(declared: unknown): Column["type"] {
  if (declared === "TEXT" || declared === "BIGINT") return declared;
  throw new TypeError(`a column of the schema has the type ${declared}`);
}

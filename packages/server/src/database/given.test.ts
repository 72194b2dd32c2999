// The form of a statement that changes many rows at once.

import { describe, expect, it } from "vitest";
import { given, groupedForPostgres, groupedForSqlite } from "./given.ts";

const RENAME = `UPDATE things SET name = given.new_name
  FROM ${given({ thing_id: "TEXT", size: "BIGINT", new_name: "TEXT" })}
  WHERE id = given.thing_id RETURNING id, name, size`;

describe("a statement whose values come from `given`", () => {
  it("gets one row of typed parameters", () => {
    expect(given({ thing_id: "TEXT", size: "BIGINT" })).toBe(
      "(SELECT CAST(?1 AS TEXT) AS thing_id, CAST(?2 AS BIGINT) AS size) AS given",
    );
  });

  it("has a form with any number of rows, from one JSON array", () => {
    const grouped = groupedForSqlite(RENAME);
    expect(grouped?.columns).toEqual(["id", "name", "size"]);
    expect(grouped?.sql).toContain(
      "FROM (SELECT value ->> 0 AS thing_id, value ->> 1 AS size, value ->> 2 AS new_name FROM json_each(?1)) AS given",
    );
    expect(grouped?.sql).toMatch(/RETURNING json_array\(id, name, size\) AS row$/);
  });

  it("has a form for PostgreSQL, which leaves out locked rows", () => {
    const grouped = groupedForPostgres(RENAME);
    expect(grouped?.key).toBe("id");
    expect(grouped?.sql).toContain(
      "SELECT id AS free_key FROM things WHERE id = ANY(ARRAY(SELECT value ->> 0 FROM jsonb_array_elements(CAST(?1 AS jsonb))))",
    );
    expect(grouped?.sql).toContain("FOR NO KEY UPDATE SKIP LOCKED)");
    expect(grouped?.sql).toContain(
      "FROM (SELECT CAST(value ->> 0 AS TEXT) AS thing_id, CAST(value ->> 1 AS BIGINT) AS size, " +
        "CAST(value ->> 2 AS TEXT) AS new_name FROM jsonb_array_elements(CAST(?1 AS jsonb))) AS given",
    );
    expect(grouped?.sql).toContain("JOIN free ON free_key = given.thing_id");
    expect(grouped?.sql).toMatch(/RETURNING id, name, size$/);
  });

  it.each([
    ["another table of values", RENAME.replace("UPDATE things SET", "DELETE FROM things USING")],
    ["another parameter", RENAME.replace("WHERE", "WHERE size > ?4 AND")],
    ["no columns to return", RENAME.slice(0, RENAME.indexOf("RETURNING"))],
    [
      "an expression to return",
      `${RENAME.slice(0, RENAME.indexOf("RETURNING"))} RETURNING id, size + 1`,
    ],
    ["parameters without `given`", "UPDATE things SET name = ?2 WHERE id = ?1 RETURNING id"],
  ])("has no such form with %s", (_, sql) => {
    expect(groupedForSqlite(sql)).toBeNull();
    expect(groupedForPostgres(sql)).toBeNull();
  });
});

// Vectors of all TXT values at the name of a record.

import type { ChosenRecord } from "../../src/record.ts";
import type { Vector } from "./vector.ts";

const REST = "sp=https://auth.example.com acct=m3Zk0bq2vS1nF9o7b0uHqg";
const GOOD = `v=dsi1 ${REST}`;
const CHALLENGE = "v=dsi1-chal sp=https://auth.example.com chal=Qk1x9sV0eJ7tYw2LrB5cDA";

const rows: readonly (readonly [string, readonly string[], ChosenRecord["outcome"]])[] = [
  ["nothing", [], "none"],
  ["another record alone", ["v=spf1 -all"], "none"],
  ["one record", [GOOD], "one"],
  ["one record, and another", ["v=spf1 -all", GOOD], "one"],
  ["two records", [GOOD, "v=dsi1 sp=none"], "ambiguous"],
  ["the same record twice", [GOOD, GOOD], "ambiguous"],
  ["a record and an invalid one", [GOOD, "v=dsi1"], "ambiguous"],
  ["a record and one with something before it", [GOOD, `;${GOOD}`], "ambiguous"],
  ["a record and one in upper case", [GOOD, `V=DSI1 ${REST}`], "ambiguous"],
  ["two invalid records", ["v=dsi1", "V=DSI1"], "ambiguous"],
  ["an invalid record alone", ["v=dsi1"], "invalid"],
  ["a record with something before it, alone", [`;${GOOD}`], "invalid"],
  ["an invalid record, and a newer one", ["v=dsi1", "v=dsi2 x"], "invalid"],
  ["a newer record alone", ["v=dsi2 x"], "unsupported"],
  ["a newer record, and another", ["v=dsi2 x", "v=spf1 -all"], "unsupported"],
  ["a record and a newer one", [GOOD, "v=dsi2 x"], "one"],
  ["a challenge alone", [CHALLENGE], "none"],
  ["a record and a challenge", [GOOD, CHALLENGE], "one"],
  ["a challenge and a newer record", [CHALLENGE, "v=dsi2 x"], "unsupported"],
];

export async function recordSetVectors(): Promise<Vector[]> {
  return rows.map(([name, texts, outcome]) => ({
    name: `set: ${name}`,
    input: { records: texts.map((text) => ({ text })) },
    options: {},
    expected: { outcome },
  }));
}

// Proves for each rule of the grammar of records that the vectors decide it: without the rule, its vectors turn.

import { readFileSync } from "node:fs";
import { rolldown } from "rolldown";
import { describe, expect, test } from "vitest";
import { type RecordRule, recordRules } from "../test/vectors/record-rules.ts";
import { recordVectors } from "../test/vectors/records.ts";
import { type RecordParsers, recordAnswer } from "../test/vectors/vector.ts";
import type { RecordProblemCode } from "./tag-list.ts";

const all = await recordVectors();
const source = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");

/** The parsers without this rule. */
async function without({ rule, changes }: RecordRule): Promise<RecordParsers> {
  const changed = new Map<string, string>();
  for (const { file, from, to } of changes) {
    const parts = (changed.get(file) ?? source(file)).split(from);
    expect([rule, file, from, parts.length]).toEqual([rule, file, from, 2]);
    changed.set(file, parts.join(to));
  }
  const bundle = await rolldown({
    input: "all",
    plugins: [
      {
        name: "without a rule",
        resolveId: (id) => (id === "all" ? "/all.ts" : `/${id.replace(/^.*\//, "")}`),
        load(id) {
          const file = id.slice(1);
          const exported = ["record.ts", "challenge-record.ts"].map(
            (one) => `export * from "./${one}";`,
          );
          const code = id === "/all.ts" ? exported.join("") : (changed.get(file) ?? source(file));
          return { code, moduleType: "ts" };
        },
      },
    ],
  });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);
}

const answers = (parsers: RecordParsers) =>
  all.map(({ input, options }) => recordAnswer(parsers, input, options));

/** The names of the vectors that turn without the rule, and of those whose outcome turns. */
async function turned(rule: RecordRule) {
  const got = answers(await without(rule));
  const isOther = (index: number) =>
    JSON.stringify(got[index]) !== JSON.stringify(all[index]?.expected);
  const vectors = all.filter((_, index) => isOther(index));
  const outcomes = all.filter(
    ({ expected }, index) => "outcome" in expected && got[index]?.outcome !== expected.outcome,
  );
  return { vectors: vectors.map(({ name }) => name), outcomes: outcomes.map(({ name }) => name) };
}

const byRule = new Map(
  await Promise.all(recordRules.map(async (rule) => [rule.rule, await turned(rule)] as const)),
);

describe("the vectors of records", () => {
  test("are answered by the parser, bundled in the same way", async () => {
    const whole = await without({ rule: "", changes: [] });
    expect(answers(whole)).toEqual(all.map(({ expected }) => expected));
  });

  test.each(recordRules.map((rule) => [rule.rule, rule] as const))(
    "decide the rule: %s",
    (_, { rule, needs = [], isNaming = false }) => {
      const own = all.filter((vector) => vector.rule === rule).map(({ name }) => name);
      expect(own.length).toBeGreaterThan(0);
      const { vectors = [], outcomes = [] } = byRule.get(rule) ?? {};
      expect(isNaming ? vectors : outcomes).toEqual(expect.arrayContaining(own));
      if (isNaming) expect(outcomes).toEqual([]);
      // No other rule decides them.
      const others = recordRules.filter(
        (other) => other.rule !== rule && !other.isBasic && !needs.includes(other.rule),
      );
      const turnedByOthers = others.flatMap((other) => {
        const names = byRule.get(other.rule)?.vectors ?? [];
        return own.filter((name) => names.includes(name)).map((name) => `${name}: ${other.rule}`);
      });
      expect(turnedByOthers).toEqual([]);
    },
  );

  test("name no rule that is none", () => {
    const rules = recordRules.map(({ rule }) => rule);
    expect(new Set(rules).size).toBe(rules.length);
    expect(all.filter(({ rule }) => rule !== undefined && !rules.includes(rule))).toEqual([]);
  });

  test("reach every problem that a single record can have", () => {
    const elsewhere: RecordProblemCode[] = [
      "not_ours",
      "is_challenge",
      "is_sp_record",
      "not_alone",
    ];
    elsewhere.push("unsupported_version", "other_sp", "other_chal");
    const [, union = ""] = /type RecordProblemCode =([^;]*);/.exec(source("tag-list.ts")) ?? [];
    const codes = [...union.matchAll(/"(\w+)"/g)].map(([, code = ""]) => code);
    const reached = all.flatMap(({ expected }) =>
      "problems" in expected ? expected.problems.map((one) => one.replace(/ .*/, "")) : [],
    );
    expect([...new Set([...reached, ...elsewhere])].sort()).toEqual(codes.sort());
  });
});

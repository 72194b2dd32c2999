// Tests of the published test vectors and of their generator.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { indexOf, makeVectorFiles } from "../test/vectors/make.ts";
import { expanded } from "../test/vectors/sharing.ts";
import {
  answerTo,
  type Vector,
  type VectorFile,
  type VectorIndex,
} from "../test/vectors/vector.ts";

const folder = new URL("../../../test-vectors/", import.meta.url);

if (process.env.WRITE_TEST_VECTORS === "1") {
  const files = await makeVectorFiles();
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of [...files, ["index.json", indexOf(files)] as const]) {
    writeFileSync(new URL(file, folder), `${JSON.stringify(content, null, 2)}\n`);
  }
}

const onDisk = readdirSync(folder).filter((file) => file !== "README.md");
const index = read("index.json") as VectorIndex;
const files = index.files.map(({ file }) => [file, read(file) as VectorFile] as const);

const source = readFileSync(new URL("errors.ts", import.meta.url), "utf8");
const codes = [...source.matchAll(/^ {2}\| "([a-z_]+)"/gm)].map(([, code]) => code);

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, folder), "utf8"));
}

/** The allowed answers; one more on a platform that lacks an algorithm. */
function allowed({ expected }: Vector): object[] {
  if ("error" in expected) return [{ error: expected.error }];
  if ("outcome" in expected) return [expected];
  const { result, if_unsupported } = expected;
  return [{ result }, ...(if_unsupported ? [{ error: if_unsupported }] : [])];
}

describe.each(files)("%s", (_, file) => {
  const { kind } = file;
  it.each(expanded(file).map((vector) => [vector.name, vector] as const))(
    "%s",
    async (_name, vector) => {
      expect(allowed(vector)).toContainEqual(await answerTo(kind, vector));
    },
  );
});

describe("the vectors", () => {
  const all = files.flatMap(([, file]) => expanded(file));
  const errors = all.flatMap(({ expected }) => ("error" in expected ? [expected] : []));

  it("are all in the index, and are nothing else", () => {
    expect(["index.json", ...index.files.map(({ file }) => file)].sort()).toEqual(onDisk.sort());
    for (const { file, vectors } of index.files) {
      expect([file, (read(file) as VectorFile).vectors.length]).toEqual([file, vectors]);
    }
  });

  it("have one name each, and every bad one says why it must be refused", () => {
    const names = all.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(errors.filter(({ reason }) => !/\S.*[.?]$/.test(reason))).toEqual([]);
    expect(all.length - errors.length).toBeGreaterThan(30);
  });

  it("reach every error code, but for those that the index gives a reason for", () => {
    const covered = [...errors.map(({ error }) => error), ...Object.keys(index.not_covered)];
    expect([...new Set(covered)].sort()).toEqual([...codes].sort());
    expect(Object.values(index.not_covered).every((reason) => reason.length > 20)).toBe(true);
  });

  it("take at most 900,000 octets", () => {
    const sizes = onDisk.map((file) => statSync(new URL(file, folder)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(900_000);
  });

  // For mutation tests: it would find what those on disk find, and takes a second for each mutant.
  const isMutated = process.env.MUTATED_FOLDER !== undefined;
  it.skipIf(isMutated)(
    "are those that the generator makes, whose new ones are answered in the same way",
    async () => {
      const made = await makeVectorFiles();
      expect(indexOf(made)).toEqual(index);
      for (const [name, { kind, about, vectors }] of files) {
        const fresh = made.get(name);
        if (!fresh) throw new Error(`${name} is made no more`);
        expect(fresh).toMatchObject({ kind, about });
        expect(fresh.vectors.map(summarize)).toEqual(vectors.map(summarize));
        for (const vector of expanded(fresh)) {
          expect([vector.name, allowed(vector)]).toEqual([
            vector.name,
            expect.arrayContaining([await answerTo(kind, vector)]),
          ]);
        }
      }
    },
  );
});

/** The parts of a vector that do not depend on its keys. */
function summarize({ name, rule, expected }: Vector): object {
  if ("outcome" in expected) return { name, rule, ...expected };
  return "error" in expected ? { name, ...expected } : { name };
}

it.each(["three zones of algorithm 13", "an alias into another zone"])(
  "the chain of %s, cut at any octet, proves nothing",
  async (name) => {
    const vector = files.flatMap(([, file]) => expanded(file)).find((one) => one.name === name);
    if (!vector) throw new Error(`no vector is called ${name}`);
    const octets = Buffer.from(String(vector.input.chain), "base64url");
    for (let length = 0; length < octets.length; length++) {
      const chain = octets.subarray(0, length).toString("base64url");
      const answer = await answerTo("chain", { ...vector, input: { ...vector.input, chain } });
      expect(answer).toEqual({ error: expect.any(String) });
    }
  },
);

it("the document for apps tells what to do for every error code, once each, and for no other", () => {
  const page = readFileSync(new URL("../../../docs/validation-data.md", import.meta.url), "utf8");
  const [, section = ""] = /^## Error codes$([\s\S]*?)^## /m.exec(page) ?? [];
  const documented = [...section.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code),
  );
  expect(codes.length).toBeGreaterThan(50);
  expect(documented.sort()).toEqual([...codes].sort());
});

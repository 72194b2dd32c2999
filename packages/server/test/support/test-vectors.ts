// Reads the published test vectors in the way that their README tells everybody to.

import { readFileSync } from "node:fs";

export type Members = Record<string, unknown>;

export interface TestVector {
  readonly name: string;
  readonly input: Members;
  readonly options: Members;
  readonly expected: { readonly result?: Members; readonly error?: string };
}

const folder = new URL("../../../../test-vectors/", import.meta.url);

/** The vector of this name out of one file, with the members that its file shares. */
export function testVector(file: string, name: string): TestVector {
  const { shared, vectors } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as {
    shared: { input: Members; options: Members };
    vectors: TestVector[];
  };
  const found = vectors.find((vector) => vector.name === name);
  if (found === undefined) throw new Error(`${file} has no vector ${name}`);
  const whole = (common: Members, own: Members) =>
    Object.fromEntries(Object.entries({ ...common, ...own }).filter(([, value]) => value !== null));
  return {
    ...found,
    input: whole(shared.input, found.input),
    options: whole(shared.options, found.options),
  };
}

// Moves what most vectors of a file have in common to one place, so that each shows its difference.

import type { Json } from "../support/jose.ts";
import type { Vector, VectorFile } from "./vector.ts";

const parts = ["input", "options"] as const;

/** The complete vectors of a file: the shared members, overridden by those of the vector; null removes one. */
export function expanded({ shared, vectors }: VectorFile): Vector[] {
  return vectors.map((vector) => ({
    ...vector,
    input: merged(shared.input, vector.input),
    options: merged(shared.options, vector.options),
  }));
}

export function withSharing(
  { kind, about }: Omit<VectorFile, "shared" | "vectors">,
  all: Vector[],
) {
  const [input, options] = parts.map((part) => common(all.map((vector) => vector[part])));
  const shared = { input: input ?? {}, options: options ?? {} };
  const vectors = all.map((vector) => ({
    ...vector,
    input: difference(shared.input, vector.input),
    options: difference(shared.options, vector.options),
  }));
  return { kind, about, shared, vectors } satisfies VectorFile;
}

/** Each member with the value that more than half of the objects have. */
function common(objects: readonly Json[]): Json {
  const names = new Set(objects.flatMap((object) => Object.keys(object)));
  const shared: Json = {};
  for (const name of names) {
    const texts = objects.map((object) => JSON.stringify(object[name]));
    const isCommon = (text: string) =>
      2 * texts.filter((one) => one === text).length > texts.length;
    const text = texts.find((one) => one !== undefined && isCommon(one));
    if (text !== undefined) shared[name] = JSON.parse(text);
  }
  return shared;
}

function difference(shared: Json, object: Json): Json {
  const own = Object.entries(object).filter(([name, value]) => !isSame(shared[name], value));
  const missing = Object.keys(shared).filter((name) => !(name in object));
  return { ...Object.fromEntries(own), ...Object.fromEntries(missing.map((name) => [name, null])) };
}

function merged(shared: Json, own: Json): Json {
  const members = Object.entries({ ...shared, ...own });
  return Object.fromEntries(members.filter(([, value]) => value !== null));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

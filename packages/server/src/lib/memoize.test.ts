// Tests of what is derived once from each text.

import { expect, test } from "vitest";
import { memoize } from "./memoize.ts";

test("each text is looked at once, also if nothing comes of it", () => {
  const looked: string[] = [];
  const first = memoize((text) => {
    looked.push(text);
    return text.length > 1 ? [text[0]] : null;
  });
  expect([first("ab"), first("c"), first("ab"), first("c")]).toEqual([["a"], null, ["a"], null]);
  expect(first("ab")).toBe(first("ab"));
  expect(looked).toEqual(["ab", "c"]);
});

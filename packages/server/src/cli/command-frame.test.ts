// Tests of what commands print.

import { expect, it } from "vitest";
import { asJson } from "./command-frame.ts";

it("the JSON of a command has no control or format character, and loses none", () => {
  const value = { name: "a\u009b\u200b\u{e0001}\n" };
  const json = asJson(value);
  expect(json).toBe('{"name":"a\\u009b\\u200b\\udb40\\udc01\\n"}');
  expect(JSON.parse(json)).toEqual(value);
});

// Tests of strict JSON parsing.

import { describe, expect, it } from "vitest";
import { readJsonObject } from "./json.ts";

const read = (text: string | readonly number[]) =>
  readJsonObject(typeof text === "string" ? new TextEncoder().encode(text) : Uint8Array.from(text));

describe("an object", () => {
  it.each<[string, object]>([
    ["{}", {}],
    ['{"a":{"a":1},"b":{"a":2}}', { a: { a: 1 }, b: { a: 2 } }],
    ['[{"a":1}]', []],
    ['{"a":["a","a",{"a":1},{"a":2}]}', { a: ["a", "a", { a: 1 }, { a: 2 }] }],
    ['{"a":"a","b" : "a:"}', { a: "a", b: "a:" }],
    ['{"{":"}","}":"\\\\\\"{"}', { "{": "}", "}": '\\"{' }],
    ['{"a":{},"b":{}}', { a: {}, b: {} }],
  ])("may be %s", (text, expected) => {
    expect(read(text)).toEqual(Array.isArray(expected) ? null : expected);
  });

  it.each([
    ...['{"a":1,"a":1}', '{"a":1,"b":{"c":1,"c":2}}', '{"a":1,"\\u0061":2}', '{"a":{},"a":{}}'],
    ...['{"a" \n:1,"a"\t:2}', '{"a":[{"b":1,"b":2}]}', '{"b":{"c":{}},"b":1}', '{"":1,"":2}'],
  ])("has no member twice: %s", (text) => {
    expect(read(text)).toBeNull();
  });

  it.each(["", "[]", "null", "1", '"a"', "{", '{"a"}', "{}x", "{'a':1}"])("is not %j", (text) => {
    expect(read(text)).toBeNull();
  });

  it("is UTF-8 without flaws, and without a mark in front", () => {
    expect(read([0x7b, 0x22, 0xc3, 0xa9, 0x22, 0x3a, 0x31, 0x7d])).toEqual({ é: 1 });
    expect(read([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])).toBeNull();
    expect(read([0xef, 0xbb, 0xbf, 0x7b, 0x7d])).toBeNull();
  });
});

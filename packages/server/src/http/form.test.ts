// Tests of the form parser, which refuses everything that parsers could interpret differently.

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import "../../../verify/test/support/random-seed.ts";
import { httpRequest } from "../../test/support/http-request.ts";
import { FormError, type Parameters, parseParameters, readForm } from "./form.ts";
import type { HttpRequest } from "./message.ts";

const formType = "application/x-www-form-urlencoded";
const limit = 16_384;

function entries({ values }: Parameters): [string, string][] {
  return [...values];
}

function post(body: string | Buffer | null, headers: Record<string, string> = {}): HttpRequest {
  const init = { method: "POST", body, headers: { "content-type": formType, ...headers } };
  return httpRequest(new Request("https://auth.example.com/oauth/token", init));
}

/** A body without a declared length, in pieces; `taken` counts the pieces that were read. */
function chunked(pieces: readonly string[]) {
  const state = { taken: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[state.taken];
      if (piece === undefined) return controller.close();
      state.taken += 1;
      controller.enqueue(Buffer.from(piece));
    },
  });
  const headers = { "content-type": formType };
  const init = { method: "POST", body, headers, duplex: "half" } as RequestInit;
  return { state, request: httpRequest(new Request("https://auth.example.com/", init)) };
}

describe("parameters", () => {
  test.each<[string, Record<string, string>]>([
    ["", {}],
    ["&&", {}],
    ["a=1&b=2", { a: "1", b: "2" }],
    ["a=1=2", { a: "1=2" }],
    ["a+b=c+d%2B", { "a b": "c d+" }],
    ["a=%C3%BC%F0%9F%94%91", { a: "ü🔑" }],
    ["a=ü", { a: "ü" }],
    ["%61=%62", { a: "b" }],
    ["a=1&A=2", { a: "1", A: "2" }],
    ["a;b=1", { "a;b": "1" }],
    ["a[]=1", { "a[]": "1" }],
    ["a=%26b%3D1", { a: "&b=1" }],
  ])("%j", (text, expected) => {
    const parameters = parseParameters(text);
    expect(entries(parameters)).toEqual(Object.entries(expected));
    expect(parameters.repeated).toEqual([]);
  });

  test.each(["a", "a=", "a&b=", "%61="])("%s: one without a value counts as absent", (text) => {
    expect(entries(parseParameters(text))).toEqual([]);
    expect(parseParameters(text).values.has("a")).toBe(false);
  });

  test.each<[string, string, string[]]>([
    ["a=1&a=2", "1", ["a"]],
    ["a=1&a=1", "1", ["a"]],
    ["a=1&b=2&%61=2", "1", ["a"]],
    ["a=1&a", "1", ["a"]],
    ["a=1&b=1&b=2&a=2", "1", ["b", "a"]],
  ])("%s: a duplicate parameter is listed, and its first value kept", (text, first, names) => {
    const parameters = parseParameters(text);
    expect([...parameters.repeated]).toEqual(names);
    expect(parameters.values.get("a")).toBe(first);
  });

  it("are duplicates even if the first is empty, because other parsers would use the second", () => {
    expect(parseParameters("a=&a=1").repeated).toEqual(["a"]);
    expect(parseParameters("a=&a=").repeated).toEqual(["a"]);
  });

  it("that are named like parts of an object are names like any other", () => {
    const { values, repeated } = parseParameters("__proto__=1&constructor=2&hasOwnProperty=3");
    expect([...values.keys()]).toEqual(["__proto__", "constructor", "hasOwnProperty"]);
    expect(repeated).toEqual([]);
    expect(parseParameters("x=1").values.get("toString")).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each([
    ["a lone percent sign", "a=100%"],
    ["half an escape", "a=%4"],
    ["an escape that is not hex", "a=%zz"],
    ["an escape in %u form", "a=%u0041"],
    ["a bad escape in a name", "%=1"],
    ["an octet that begins nothing", "a=%ff"],
    ["a sequence cut short", "a=%C3"],
    ["an overlong sequence", "a=%c0%af"],
    ["a surrogate", "a=%ed%a0%80"],
    ["beyond Unicode", "a=%f4%90%80%80"],
    ["an escaped NUL", "a=b%00"],
    ["a raw NUL", "a=b\0"],
    ["a NUL in a name", "a%00=b"],
    ["a mistake in a parameter that nobody wants", "grant_type=refresh_token&x=%zz"],
  ])("with %s cannot be read", (_, text) => {
    expect(() => parseParameters(text)).toThrow(FormError);
  });

  it("come out as URLSearchParams put them in", () => {
    const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0"));
    const pairs = fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name });
    fc.assert(
      fc.property(pairs, (given) => {
        const parameters = parseParameters(new URLSearchParams(given).toString());
        expect(entries(parameters)).toEqual(given.filter(([, value]) => value !== ""));
        expect(parameters.repeated).toEqual([]);
      }),
    );
  });

  it("are read, or refused with a FormError, whatever the text", () => {
    const text = fc.string({ unit: fc.constantFrom(..."aé%&=+;0Ff1\0 \ud800") });
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: "binary" })), (input) => {
        try {
          for (const value of parseParameters(input).values.values()) {
            expect(value).not.toMatch(/^$|\0/);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(FormError);
        }
      }),
    );
  });
});

describe("a form body", () => {
  it("is read as its parameters", async () => {
    expect(entries(await readForm(post("a=1&b=%C3%BC")))).toEqual([
      ["a", "1"],
      ["b", "ü"],
    ]);
    expect(entries(await readForm(post("a=ü")))).toEqual([["a", "ü"]]);
    expect(entries(await readForm(post("")))).toEqual([]);
    expect(entries(await readForm(post(null)))).toEqual([]);
  });

  test.each([
    "application/x-www-form-urlencoded",
    "Application/X-WWW-Form-Urlencoded",
    "application/x-www-form-urlencoded;charset=UTF-8",
    "application/x-www-form-urlencoded ; charset=utf-8",
  ])("of media type %s is taken", async (type) => {
    expect(entries(await readForm(post("a=1", { "content-type": type })))).toEqual([["a", "1"]]);
  });

  test.each([
    "application/json",
    "text/plain",
    "text/plain; application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded-not",
    "application/x-www-form-urlencoded, application/json",
    "application/x-www-form-urlencoded; charset=utf-8, application/json",
    "",
  ])("of media type %j is refused", async (type) => {
    await expect(readForm(post("a=1", { "content-type": type }))).rejects.toThrow(FormError);
  });

  it("without a media type is refused", async () => {
    const init = { method: "POST", body: Buffer.from("a=1") };
    const request = new Request("https://auth.example.com/", init);
    await expect(readForm(httpRequest(request))).rejects.toThrow(FormError);
  });

  test.each([
    ["an octet that begins nothing", [0x61, 0x3d, 0xff]],
    ["Latin-1", [0x61, 0x3d, 0xfc]],
    ["a sequence cut short", [0x61, 0x3d, 0xc3]],
    ["an overlong NUL", [0x61, 0x3d, 0xc0, 0x80]],
    ["a NUL", [0x61, 0x3d, 0x00]],
  ])("with %s in it, raw, is refused", async (_, octets) => {
    await expect(readForm(post(Buffer.from(octets)))).rejects.toThrow(FormError);
  });
});

describe("the size of a form body", () => {
  const fits = `a=${"b".repeat(limit - 2)}`;

  it("may be 16 KiB, declared or not", async () => {
    const declared = post(fits, { "content-length": String(limit) });
    expect((await readForm(declared)).values.get("a")).toHaveLength(limit - 2);
    expect((await readForm(post(fits))).values.get("a")).toHaveLength(limit - 2);
    const half = fits.length / 2;
    const { request } = chunked([fits.slice(0, half), fits.slice(half)]);
    expect((await readForm(request)).values.get("a")).toHaveLength(limit - 2);
  });

  it("may not be declared larger", async () => {
    const request = post("a=1", { "content-length": String(limit + 1) });
    await expect(readForm(request)).rejects.toThrow(FormError);
  });

  it("may not be larger without being declared", async () => {
    await expect(readForm(post(`${fits}b`))).rejects.toThrow(FormError);
  });

  it("may not be larger than was declared either", async () => {
    const request = post(`${fits}b`, { "content-length": "5" });
    const outcome = readForm(request).then(
      () => "read",
      (error: Error) => error.name,
    );
    expect(await outcome).toBe("FormError");
  });

  it("is counted while it arrives: a body without an end is not waited for", async () => {
    const { request, state } = chunked(Array.from({ length: 1000 }, () => "a".repeat(1024)));
    await expect(readForm(request)).rejects.toThrow(FormError);
    expect(state.taken).toBeLessThan(30);
  });

  it("does not cut a character in two", async () => {
    const octets = Buffer.from("a=ü");
    const pieces = [octets.subarray(0, 3), octets.subarray(3)];
    const body = ReadableStream.from(pieces);
    const init = { method: "POST", body, duplex: "half", headers: { "content-type": formType } };
    const request = new Request("https://auth.example.com/", init as RequestInit);
    expect((await readForm(httpRequest(request))).values.get("a")).toBe("ü");
  });
});

const long = "n".repeat(50);
test.each([
  ["code=%zz", "the parameter code is not valid percent-encoded UTF-8"],
  ["a=1&st%61te=%00", "the parameter state contains a NUL character"],
  [`${long}%22%0a=%ff`, `the parameter ${long.slice(10)} is not valid percent-encoded UTF-8`],
  ["%22%5c=%ff", "the parameter ?? is not valid percent-encoded UTF-8"],
  ["%zz=1", "the name of a parameter is not valid percent-encoded UTF-8"],
])("the message for %s names the parameter", (text, message) => {
  expect(() => parseParameters(text)).toThrow(new FormError(message));
});

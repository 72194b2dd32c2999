// Tests of where the authorization request of an interaction is kept.

import { expect, it } from "vitest";
import { testCookies } from "../../test/support/cookies.ts";
import { httpRequest } from "../../test/support/http-request.ts";
import { sha256 } from "../lib/random.ts";
import { canBeKept, keepRequest, keptRequest, queryForRow } from "./kept-request.ts";

const cookies = testCookies("https://auth.example.com");

/** A browser that keeps what it is told to. */
function browser() {
  const jar = new Map<string, string>();
  const header = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const http = () => {
    const cookie = header();
    const request = new Request("https://auth.example.com/", { headers: cookie ? { cookie } : {} });
    return httpRequest(request);
  };
  return {
    jar,
    header,
    keep(interactionId: string, query: string) {
      for (const line of keepRequest(http(), { interactionId, query }, cookies)) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.delete(name);
        if (!line.includes("Max-Age=0")) jar.set(name, value);
      }
    },
    read: (interactionId: string, ofRow: string | null) =>
      keptRequest(http(), { interactionId, ofRow }, cookies),
  };
}

const short = "client_id=app&state=s";
/** Does not compress. */
function noise(octets: number): string {
  let text = "";
  while (text.length < octets) text += sha256(text);
  return text.slice(0, octets);
}
const long = `client_id=app&state=${noise(2048)}`;

it("a row holds a request of up to 2,048 octets, and a hash of a longer one", () => {
  expect(queryForRow(short)).toBe(short);
  expect(queryForRow("x".repeat(2048))).toHaveLength(2048);
  expect(queryForRow("x".repeat(2049))).toMatch(/^#[\w-]{43}$/);
});

it("a longer one comes from the browser, and only if it is the one of the row", () => {
  const own = browser();
  own.keep("one", long);
  expect(own.read("one", queryForRow(long))).toBe(long);
  expect(own.read("two", queryForRow(long))).toBeNull();
  expect(own.read("one", queryForRow(`${long}x`))).toBeNull();
  expect(browser().read("one", queryForRow(long))).toBeNull();
});

it("the browser keeps a request whose row is gone", () => {
  const own = browser();
  own.keep("one", short);
  expect(own.read("one", null)).toBe(short);
  expect(own.read("two", null)).toBeNull();
  expect(browser().read("one", null)).toBeNull();
});

it("of short requests the browser keeps the latest three, of long ones the latest", () => {
  const own = browser();
  for (const id of ["a", "b", "c", "d"]) own.keep(id, short + id);
  expect(["a", "b", "c", "d"].map((id) => own.read(id, null))).toEqual([
    null,
    ...["b", "c", "d"].map((id) => short + id),
  ]);
  own.keep("e", long);
  own.keep("f", `${long}f`);
  expect(own.read("e", null)).toBeNull();
  expect(own.read("f", null)).toBe(`${long}f`);
  expect(own.header().length).toBeLessThan(4000);
});

it("every state of 2,048 octets fits, with a redirect_uri of 500 and a code challenge", () => {
  const rest = { client_id: "app", redirect_uri: `https://app.example/${noise(480)}` };
  for (const state of [noise(2048), "\u{1f600}".repeat(512), '{"a":"b"}'.repeat(227)]) {
    const query = new URLSearchParams({ ...rest, code_challenge: noise(43), state });
    expect(canBeKept(String(query)), state.slice(0, 10)).toBe(true);
  }
  expect(canBeKept(`state=${noise(2048)}&nonce=${noise(4096).slice(2048)}`)).toBe(false);
});

it("a cookie that was made up is none", () => {
  const own = browser();
  for (const value of ["AAAA", "_".repeat(3800), "x".repeat(3801), ""]) {
    own.jar.set(cookies.requestName("one"), value);
    expect(own.read("one", null) ?? "").not.toContain("client_id");
    expect(own.read("one", queryForRow(long))).toBeNull();
  }
});

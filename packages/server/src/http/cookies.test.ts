// Tests of the three cookies: names, attributes, reading.

import { createHash } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { type CookieKind, cookiesOf } from "./cookies.ts";

const issuer = "https://auth.example.com";
const loopback = "http://localhost:41001";

/** The names end in the first 8 hex digits of SHA-256(issuer). */
function nameOf(kind: CookieKind, of = issuer): string {
  const digits = createHash("sha256").update(of).digest("hex").slice(0, 8);
  return `${of.startsWith("https:") ? "__Host-" : ""}ds_${kind}_${digits}`;
}

function requestWith(cookie: string | null) {
  return { header: (name: string) => (name === "cookie" ? cookie : null) };
}

/** The attributes of a `Set-Cookie` value, sorted, without name and value. */
function attributesOf(setCookie: string): string[] {
  return setCookie.split("; ").slice(1).sort();
}

const kinds = ["browser", "device", "session"] as const;

describe("a cookie that is set", () => {
  test.each([
    ["browser", 3600],
    ["device", 400 * 86400],
    ["session", 90 * 86400],
  ] as const)("%s: bound to our host, for https, without script, for %d s", (kind, seconds) => {
    const cookie = cookiesOf(issuer).set(kind, "value");
    expect(cookie.split("; ")[0]).toBe(`${nameOf(kind)}=value`);
    expect(attributesOf(cookie)).toEqual(
      ["HttpOnly", `Max-Age=${seconds}`, "Path=/", "SameSite=Lax", "Secure"].sort(),
    );
  });

  it("on a loopback issuer goes without https, since browsers refuse __Host- there", () => {
    const cookie = cookiesOf(loopback).set("session", "value");
    expect(cookie.split("; ")[0]).toBe(`${nameOf("session", loopback)}=value`);
    expect(attributesOf(cookie)).toEqual(
      ["HttpOnly", `Max-Age=${90 * 86400}`, "Path=/", "SameSite=Lax"].sort(),
    );
  });

  it("has no Domain, as __Host- demands (RFC 6265bis §4.1.3.2)", () => {
    for (const kind of kinds) expect(cookiesOf(issuer).set(kind, "v")).not.toMatch(/domain=/i);
  });

  it("is named apart from every other kind, and from another issuer on the same host", () => {
    const names = [loopback, "http://localhost:41002"].flatMap((of) =>
      kinds.map((kind) => cookiesOf(of).set(kind, "").split("=")[0]),
    );
    expect(new Set(names).size).toBe(6);
  });
});

describe("a cookie that is read", () => {
  const cookies = cookiesOf(issuer);
  /** 256 bits in base64url. */
  const value = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASN-_00".slice(0, 43);

  test.each(kinds)("%s comes back as it was set", (kind) => {
    const set = cookies.set(kind, value).split("; ")[0] ?? "";
    expect(cookies.read(requestWith(set), kind)).toBe(value);
    expect(cookies.read(requestWith(`a=b; ${set};c=d`), kind)).toBe(value);
  });

  it("is undefined where there is none", () => {
    expect(cookies.read(requestWith(null), "session")).toBeUndefined();
    expect(cookies.read(requestWith("a=b"), "session")).toBeUndefined();
  });

  it("is found between others", () => {
    const header = `theme=dark;${nameOf("device")}=x;  ${nameOf("session")}=${value} ; z=1`;
    expect(cookies.read(requestWith(header), "session")).toBe(value);
  });

  test.each([
    ["another kind", nameOf("device")],
    ["another issuer", nameOf("session", "https://other.example.com")],
    ["the loopback form, which any subdomain could set", nameOf("session").replace("__Host-", "")],
    ["a longer name", `${nameOf("session")}0`],
    ["a name that ends in ours", `x${nameOf("session")}`],
    ["another case", nameOf("session").toUpperCase()],
  ])("is not that of %s", (_, name) => {
    expect(cookies.read(requestWith(`${name}=${value}`), "session")).toBeUndefined();
  });

  it("is not found inside the value of another", () => {
    const header = `a="${nameOf("session")}=${value}"`;
    expect(cookies.read(requestWith(header), "session")).toBeUndefined();
  });

  test.each([
    ["nothing", ""],
    ["less", value.slice(1)],
    ["more", `${value}A`],
    ["quotes", `"${value}"`],
  ])("with %s in it, which we never set, counts as none", (_, other) => {
    expect(cookies.read(requestWith(`${nameOf("browser")}=${other}`), "browser")).toBeUndefined();
  });
});

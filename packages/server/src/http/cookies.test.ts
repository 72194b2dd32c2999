// Tests of the cookies: names, attributes, reading.

import { createHash } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { requestWithHeaders } from "../../test/support/http-request.ts";
import { type CookieKind, cookiesOf } from "./cookies.ts";

const issuer = "https://auth.example.com";
const loopback = "http://localhost:41001";

/** The names end in the first 8 hex digits of SHA-256(issuer). */
function nameOf(kind: CookieKind, of = issuer): string {
  const digits = createHash("sha256").update(of).digest("hex").slice(0, 8);
  return `${of.startsWith("https:") ? "__Host-" : ""}ds_${kind}_${digits}`;
}

function requestWith(cookie: string | null) {
  return requestWithHeaders({ cookie });
}

/** The attributes of a `Set-Cookie` value, sorted, without name and value. */
function attributesOf(setCookie: string): string[] {
  return setCookie.split("; ").slice(1).sort();
}

const kinds = ["browser"] as const;

describe("a cookie that is set", () => {
  test.each([["browser", 86400]] as const)(
    "%s: bound to our host, for https, without script, for %d s",
    (kind, seconds) => {
      const cookie = cookiesOf(issuer).set(kind, "value");
      expect(cookie.split("; ")[0]).toBe(`${nameOf(kind)}=value`);
      expect(attributesOf(cookie)).toEqual(
        ["HttpOnly", `Max-Age=${seconds}`, "Path=/", "SameSite=Lax", "Secure"].sort(),
      );
    },
  );

  it("on a loopback issuer goes without https, since browsers refuse __Host- there", () => {
    const cookie = cookiesOf(loopback).set("browser", "value");
    expect(cookie.split("; ")[0]).toBe(`${nameOf("browser", loopback)}=value`);
    expect(attributesOf(cookie)).toEqual(
      ["HttpOnly", `Max-Age=${86400}`, "Path=/", "SameSite=Lax"].sort(),
    );
  });

  it("has no Domain, as __Host- demands (RFC 6265bis §4.1.3.2)", () => {
    for (const kind of kinds) expect(cookiesOf(issuer).set(kind, "v")).not.toMatch(/domain=/i);
  });

  it("is named apart from those of another issuer on the same host", () => {
    const names = [loopback, "http://localhost:41002"].flatMap((of) =>
      kinds.map((kind) => cookiesOf(of).set(kind, "").split("=")[0]),
    );
    expect(new Set(names).size).toBe(2);
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
    expect(cookies.read(requestWith(null), "browser")).toBeUndefined();
    expect(cookies.read(requestWith("a=b"), "browser")).toBeUndefined();
  });

  it("is found between others", () => {
    const header = `theme=dark;${nameOf("browser")}x=x;  ${nameOf("browser")}=${value} ; z=1`;
    expect(cookies.read(requestWith(header), "browser")).toBe(value);
  });

  test.each([
    ["another kind", nameOf("browser").replace("browser", "session")],
    ["another issuer", nameOf("browser", "https://other.example.com")],
    ["the loopback form, which any subdomain could set", nameOf("browser").replace("__Host-", "")],
    ["a longer name", `${nameOf("browser")}0`],
    ["a name that ends in ours", `x${nameOf("browser")}`],
    ["another case", nameOf("browser").toUpperCase()],
  ])("is not that of %s", (_, name) => {
    expect(cookies.read(requestWith(`${name}=${value}`), "browser")).toBeUndefined();
  });

  it("is not found inside the value of another", () => {
    const header = `a="${nameOf("browser")}=${value}"`;
    expect(cookies.read(requestWith(header), "browser")).toBeUndefined();
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

describe("a session cookie", () => {
  const cookies = cookiesOf(issuer);
  const value = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASN-_00".slice(0, 43);
  const set = (accountId: string) => cookies.setSession(accountId, value).split("; ")[0] ?? "";

  it("has a name for each account, and lasts 400 days", () => {
    const [pair = "", ...attributes] = cookies.setSession("sub_alice", value).split("; ");
    expect(pair).toMatch(/^__Host-ds_session_[0-9a-f]{8}_[0-9a-f]{8}=/);
    expect(pair).toBe(`${cookies.sessionName("sub_alice")}=${value}`);
    expect(attributes.sort()).toEqual(
      ["HttpOnly", `Max-Age=${400 * 86400}`, "Path=/", "SameSite=Lax", "Secure"].sort(),
    );
    expect(set("sub_bob")).not.toBe(set("sub_alice"));
    expect(pair).not.toContain("alice");
  });

  it("is read beside those of other accounts, and no other cookie is", () => {
    const [alice, bob] = [set("sub_alice"), set("sub_bob")];
    const others = [
      `x${alice}`,
      alice.replace("__Host-", ""),
      cookiesOf(loopback).setSession("sub_alice", value).split(";")[0],
      alice.slice(0, -1),
      `${nameOf("browser")}=${value}`,
      "flag",
    ];
    const header = [alice, ...others, bob].join("; ");
    const named = (accountId: string) => ({ name: cookies.sessionName(accountId), value });
    expect(cookies.sessions(requestWith(header))).toEqual([named("sub_alice"), named("sub_bob")]);
    expect(cookies.sessions(requestWith(null))).toEqual([]);
  });

  it("is read 16 times at most", () => {
    const header = Array.from({ length: 40 }, (_, index) => set(`sub_${index}`)).join("; ");
    expect(cookies.sessions(requestWith(header))).toHaveLength(16);
  });

  it("is removed by its name", () => {
    const name = cookies.sessionName("sub_alice");
    expect(cookies.clear(name)).toBe(`${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure`);
  });

  it("that ends stays as that of a known browser, which is no session", () => {
    const [cookie] = cookies.sessions(requestWith(set("sub_alice")));
    if (cookie === undefined) throw new Error("no cookie was read");
    const [removed, kept = ""] = cookies.endSession(cookie);
    expect(removed).toBe(cookies.clear(cookies.sessionName("sub_alice")));
    expect(attributesOf(kept)).toEqual(attributesOf(cookies.setSession("sub_alice", value)));
    const next = requestWith(kept.split("; ")[0] ?? "");
    expect(cookies.sessions(next)).toEqual([]);
    expect(cookies.known(next)).toEqual([{ name: cookies.knownName("sub_alice"), value }]);
  });
});

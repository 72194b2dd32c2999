// Tests of the cookies: names, attributes, reading.

import { createHash } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { testCookies } from "../../test/support/cookies.ts";
import { requestWithHeaders } from "../../test/support/http-request.ts";
import { sha256, systemRandom } from "../lib/random.ts";
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
      const cookie = testCookies(issuer).set(kind, "value");
      expect(cookie.split("; ")[0]).toBe(`${nameOf(kind)}=value`);
      expect(attributesOf(cookie)).toEqual(
        ["HttpOnly", `Max-Age=${seconds}`, "Path=/", "SameSite=Lax", "Secure"].sort(),
      );
    },
  );

  it("on a loopback issuer goes without https, since browsers refuse __Host- there", () => {
    const cookie = testCookies(loopback).set("browser", "value");
    expect(cookie.split("; ")[0]).toBe(`${nameOf("browser", loopback)}=value`);
    expect(attributesOf(cookie)).toEqual(
      ["HttpOnly", `Max-Age=${86400}`, "Path=/", "SameSite=Lax"].sort(),
    );
  });

  it("has no Domain, as __Host- demands (RFC 6265bis §4.1.3.2)", () => {
    for (const kind of kinds) expect(testCookies(issuer).set(kind, "v")).not.toMatch(/domain=/i);
  });

  it("is named apart from those of another issuer on the same host", () => {
    const names = [loopback, "http://localhost:41002"].flatMap((of) =>
      kinds.map((kind) => testCookies(of).set(kind, "").split("=")[0]),
    );
    expect(new Set(names).size).toBe(2);
  });
});

describe("a cookie that is read", () => {
  const cookies = testCookies(issuer);
  /** 256 bits in base64url. */
  const value = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASN-_00".slice(0, 43);

  test.each(kinds)("%s comes back as it was set", (kind) => {
    const set = cookies.set(kind, value).split("; ")[0] ?? "";
    expect(cookies.read(requestWith(set), kind)).toBe(value);
    expect(cookies.read(requestWith(`a=b; ${set};c=d`), kind)).toBe(value);
  });

  it("of a browser is known as given only if this service made it, whose MAC all its nodes know", () => {
    const given = cookies.newBrowser(systemRandom);
    const readBy = (own: typeof cookies, browser: string) =>
      own.readGivenBrowser(requestWith(cookies.set("browser", browser).split(";")[0] ?? ""));
    expect(given).toHaveLength(43);
    expect(readBy(cookies, given)).toBe(given);
    expect(readBy(testCookies(issuer), given)).toBe(given);
    expect(readBy(cookies, value)).toBeUndefined();
    expect(
      readBy(cookies, `${given.startsWith("A") ? "B" : "A"}${given.slice(1)}`),
    ).toBeUndefined();
    expect(
      readBy(
        cookiesOf(issuer, (text) => sha256(`another key ${text}`)),
        given,
      ),
    ).toBeUndefined();
    expect(cookies.readGivenBrowser(requestWith(null))).toBeUndefined();
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
  const cookies = testCookies(issuer);
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
      testCookies(loopback).setSession("sub_alice", value).split(";")[0],
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

describe("the cookies together", () => {
  const cookies = testCookies(issuer);
  const named = (count: number, set: (id: string) => string, octets: number) =>
    Array.from({ length: count }, (_, index) => set(`id ${index}`)).map((one) => {
      const [pair = ""] = one.split(";");
      return pair.padEnd(octets, "x");
    });
  const full = {
    browser: [`${nameOf("browser")}=${"b".repeat(43)}`],
    returning: [`${nameOf("returning")}=${"r".repeat(46)}`],
    sessions: named(8, (id) => cookies.setSession(id, ""), 79),
    known: named(8, (id) => `${cookies.knownName(id)}=`, 77),
    setUps: named(3, (id) => cookies.setSetUp(cookies.setUpName(id), ""), 1300),
    challenges: named(2, (id) => cookies.setChallenge(cookies.challengeName(id), ""), 900),
    requests: named(3, (id) => cookies.setRequest(cookies.requestName(id), ""), 700),
  };
  const headerOf = (...kinds: (keyof typeof full)[]) => kinds.flatMap((kind) => full[kind]);
  /** The header line of a browser that has sent these, and got what a response sets. */
  function headerAfter(sent: readonly string[], set: readonly string[]): readonly string[] {
    const jar = new Map(sent.map((pair) => [pair.split("=")[0], pair]));
    for (const one of cookies.fit(requestWith(sent.join("; ")), set)) {
      const [pair = ""] = one.split(";");
      if (one.includes("Max-Age=0")) jar.delete(pair.split("=")[0]);
      else jar.set(pair.split("=")[0], pair);
    }
    return [...jar.values()];
  }
  const length = (pairs: readonly string[]) => `cookie: ${pairs.join("; ")}\r\n`.length;

  it("of three long set-ups and two long challenges beside a session fit as they are", () => {
    const sent = [
      ...headerOf("browser", "returning", "setUps", "challenges"),
      ...full.sessions.slice(0, 1),
    ];
    const set = [cookies.setSession("id 0", "s".repeat(43))];
    expect(cookies.fit(requestWith(sent.join("; ")), set)).toEqual(set);
  });

  it("stay below 6,000 octets, whatever a response sets: what is least needed goes first", () => {
    const jar = headerOf("browser", "returning", "sessions", "known", "setUps", "challenges");
    const all = [...jar, ...full.requests];
    expect(length(all)).toBeGreaterThan(8000);
    const sets = [
      [cookies.setSession("id 0", "s".repeat(43))],
      [cookies.setRequest(cookies.requestName("new"), "q".repeat(3800))],
      [cookies.setChallenge(cookies.challengeName("new"), "c".repeat(870))],
      [cookies.setSetUp(cookies.setUpName("new"), "u".repeat(1460))],
      [
        cookies.setSetUp(cookies.setUpName("new"), "u".repeat(1000)),
        cookies.setRequest(cookies.requestName("new"), "q".repeat(3800)),
      ],
    ];
    for (const set of sets) {
      const after = headerAfter(all, set);
      expect(length(after)).toBeLessThan(6000);
      for (const one of set) expect(after).toContain(one.split(";")[0]);
      for (const one of headerOf("browser", "returning").concat(full.sessions.slice(1))) {
        expect(after).toContain(one);
      }
    }
    const [session = []] = sets;
    const long = `${cookies.requestName("long")}=${"q".repeat(3800)}`;
    const passkey = [cookies.setSetUp(cookies.setUpName("new"), "u".repeat(1460))];
    expect(length(headerAfter([...jar, long], passkey))).toBeLessThan(6000);
    const after = headerAfter(all, session);
    expect(after.filter((one) => one.includes("_request_"))).toEqual(full.requests.slice(-1));
    expect(after.filter((one) => one.includes("_challenge_"))).toEqual(full.challenges);
    expect(after.filter((one) => one.includes("_setup_")).length).toBeGreaterThanOrEqual(2);
  });

  it("count with what a browser puts between them, which the request may lack", () => {
    const sent = named(90, (id) => `${cookies.knownName(id)}=`, 65);
    expect(sent.join(";").length).toBeLessThan(6000 - 50);
    const set = [`${nameOf("browser")}=b`];
    expect(cookies.fit(requestWith(sent.join(";")), set).length).toBeGreaterThan(1);
  });

  it("of other issuers on the host are neither counted nor cleared", () => {
    const other = testCookies("https://other.example.com");
    const sent = full.setUps.map((_, index) => {
      const [pair = ""] = other.setSetUp(other.setUpName(`id ${index}`), "").split(";");
      return pair.padEnd(3000, "x");
    });
    const set = [cookies.setSession("id 0", "s".repeat(43))];
    expect(cookies.fit(requestWith(sent.join("; ")), set)).toEqual(set);
  });
});

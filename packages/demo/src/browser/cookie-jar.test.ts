// Tests of the cookie jar: which cookies it takes, keeps and sends.

import { expect, onTestFinished, test, vi } from "vitest";
import { createCookieJar } from "./cookie-jar.ts";

test("ports of a host share cookies, hosts do not", () => {
  const jar = createCookieJar();
  jar.store("http://localhost:1/", ["a=1; Path=/; HttpOnly; SameSite=Lax", "b=x=y; Path=/"]);
  expect(jar.header("http://localhost:2/deep/page")).toBe("a=1; b=x=y");
  expect(jar.header("http://127.0.0.1:1/")).toBeUndefined();
  expect(jar.names("http://localhost:1/")).toEqual(["a", "b"]);
});

test("a cookie is replaced, runs out and is removed", () => {
  vi.useFakeTimers({ now: 1_000_000, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const jar = createCookieJar();
  const url = "http://localhost/";
  jar.store(url, ["a=1; Max-Age=10", "b=1", "c=1; Expires=Thu, 01 Jan 1970 00:16:45 GMT"]);
  jar.store(url, ["a=2; Max-Age=20; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]);
  expect(jar.header(url)).toBe("a=2; b=1; c=1");
  vi.setSystemTime(1_005_000);
  expect(jar.header(url)).toBe("a=2; b=1");
  vi.setSystemTime(1_030_000);
  expect(jar.header(url)).toBe("b=1");
  jar.store(url, ["b=; Max-Age=0"]);
  expect(jar.header(url)).toBeUndefined();
});

test("the path of a cookie is kept to", () => {
  const jar = createCookieJar();
  jar.store("http://localhost/a/b", ["own=1", "given=1; Path=/a", "all=1; Path=/"]);
  expect(jar.header("http://localhost/a/c")).toBe("own=1; given=1; all=1");
  expect(jar.header("http://localhost/ab")).toBe("all=1");
});

test.each([
  ["__Host-a=1; Path=/", "without Secure"],
  ["__Host-a=1; Secure", "without its path"],
  ["__Host-a=1; Secure; Path=/; Domain=a.test", "with a domain"],
  ["__Secure-a=1", "without Secure"],
  ["a=1; Domain=test", "for another host"],
  ["=1", "without a name"],
])("%s is not taken: %s", (cookie) => {
  const jar = createCookieJar();
  jar.store("https://a.test/", [cookie]);
  expect(jar.header("https://a.test/")).toBeUndefined();
});

test("a secure cookie is kept off plain http, loopback aside", () => {
  const jar = createCookieJar();
  jar.store("https://a.test/", ["__Host-a=1; Secure; Path=/"]);
  jar.store("http://a.test/", ["b=1; Secure"]);
  jar.store("http://localhost/", ["c=1; Secure"]);
  expect(jar.header("https://a.test/")).toBe("__Host-a=1");
  expect(jar.header("http://a.test/")).toBeUndefined();
  expect(jar.header("http://localhost/")).toBe("c=1");
});

test("cookies are forgotten by what they are", () => {
  const jar = createCookieJar();
  jar.store("http://localhost/", ["ds_session_1=a", "ds_known_1=b"]);
  expect(jar.forget((name) => name.startsWith("ds_session_"))).toEqual(["ds_session_1"]);
  expect(jar.header("http://localhost/")).toBe("ds_known_1=b");
});

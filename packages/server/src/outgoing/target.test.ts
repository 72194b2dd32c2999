// Tests of which URLs may be fetched, by their text.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../verify/test/support/random-seed.ts";
import { GuardedFetchError, readTarget } from "./guarded-fetch.ts";

function refusalOf(url: string, allowLoopback = false): string | null {
  try {
    readTarget(url, { allowLoopback });
    return null;
  } catch (cause) {
    if (!(cause instanceof GuardedFetchError)) throw cause;
    expect(cause.code).toBe("bad_url");
    return cause.message;
  }
}

describe("a URL is let through:", () => {
  it.each([
    ["https://sp.example", "sp.example", "/"],
    ["https://sp.example/", "sp.example", "/"],
    ["https://sp.example/a/b?c=d&e", "sp.example", "/a/b?c=d&e"],
    ["https://sp.example:8443/a", "sp.example:8443", "/a"],
    ["https://a-b.1c.xn--bcher-kva.example/", "a-b.1c.xn--bcher-kva.example", "/"],
    ["https://127.example/", "127.example", "/"],
  ])("%s", (url, host, path) => {
    const target = readTarget(url, { allowLoopback: false });
    expect(target.href).toBe(`https://${host}${path}`);
    expect(target.hostname).toBe(host.split(":")[0]);
  });
});

describe("a URL is refused that", () => {
  it.each<[string, ...string[]]>([
    ["is none", "", "sp.example", "//sp.example/", "https://", "https://:443/", "https://sp%2f/"],
    ["has another scheme", "http://sp.example/", "ftp://sp.example/", "file:///etc/passwd"],
    ["has another scheme", "data:application/json,1", "blob:https://sp.example/1", "javascript:1"],
    ["names a user", "https://a@sp.example/", "https://a:b@sp.example/", "https://:b@sp.example/"],
    ["names a user of no letters", "https://@sp.example/", "https://:@sp.example/"],
    ["has a fragment", "https://sp.example/#a", "https://sp.example/#", "https://sp.example#"],
    ["is an IPv4 address", "https://8.8.8.8/", "https://127.0.0.1/", "https://127.0.0.1./"],
    ["is a decimal address", "https://2130706433/", "https://134744072/"],
    ["is a hexadecimal address", "https://0x7f000001/", "https://0x7f.0.0.1/", "https://0X7F.1/"],
    ["is an octal address", "https://0177.0.0.1/", "https://017700000001/", "https://010.8.8.8/"],
    ["is a short address", "https://127.1/", "https://127.0.1/", "https://8.8/", "https://0/"],
    ["is an IPv6 address", "https://[::1]/", "https://[2606:4700::1111]/", "https://[::]/"],
    ["is a mapped address", "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/"],
    ["is an address in other digits", "https://１２７.0.0.1/", "https://①27.0.0.1/"],
    ["is an address, escaped", "https://%31%32%37.0.0.1/", "https://127。0。0。1/"],
    ["has no dot in its host", "https://localhost/", "https://sp/", "https://metadata:8443/"],
    ["ends its host with a dot", "https://sp.example./", "https://localhost./", "https://sp../"],
    ["has an empty label", "https://.sp.example/", "https://sp..example/"],
    ["has a label that none can have", "https://-a.example/", "https://a-.example/"],
    ["has a label that none can have", "https://a_b.example/", "https://*.example/"],
    ["has a label that is too long", `https://${"a".repeat(64)}.example/`],
    ["has a host that is too long", `https://${"a.".repeat(127)}example/`],
    ["has capital letters", "https://SP.example/", "HTTPS://sp.example/"],
    ["has letters that are no A-labels", "https://bücher.example/", "https://ｓｐ.example/"],
    ["has escapes in its host", "https://%73p.example/", "https://sp%2eexample/"],
    [
      "has an idle port",
      "https://sp.example:443/",
      "https://sp.example:08443/",
      "https://sp.example:/",
    ],
    ["has no such port", "https://sp.example:65536/", "https://sp.example:-1/"],
    ["has spaces", " https://sp.example/", "https://sp.example/ ", "https://sp.example/a b"],
    [
      "has line ends",
      "https://sp.example/\r\nHost: a",
      "https://sp.exa\nmple/",
      "https://sp.example/\t",
    ],
    ["has backslashes", "https:\\\\sp.example\\", "https://sp.example\\@evil.example/"],
    [
      "has too many or few slashes",
      "https:/sp.example/",
      "https:///sp.example/",
      "https:sp.example",
    ],
    [
      "goes up",
      "https://sp.example/a/../b",
      "https://sp.example/./a",
      "https://sp.example/%2e%2e/",
    ],
    ["has letters that are not ASCII", "https://sp.example/ä", "https://sp.example/?ä"],
    ["is too long", `https://sp.example/${"a".repeat(2048)}`],
  ])("%s", (_, ...urls) => {
    expect(urls.filter((url) => refusalOf(url) === null)).toEqual([]);
    expect(urls.filter((url) => refusalOf(url, true) === null)).toEqual([]);
  });
});

describe("loopback", () => {
  it("is let through where it is allowed, as http://localhost with a port", () => {
    const url = "http://localhost:8080/a?b";
    expect(readTarget(url, { allowLoopback: true }).href).toBe(url);
    expect(refusalOf("http://localhost:8080/")).toBe(
      "localhost:8080 is not an allowed destination (not https).",
    );
  });

  it.each([
    ...["http://localhost/", "http://localhost:80/", "https://localhost:8080/"],
    ...["http://127.0.0.1:8080/", "http://[::1]:8080/", "http://localhost.:8080/"],
    ...["http://LOCALHOST:8080/", "http://a@localhost:8080/", "http://localhost:8080/#"],
    ...["http://a.localhost:8080/", "http://localhost.example:8080/", "http://sp.example:8080/"],
    ...["ws://localhost:8080/", "http://127.1:8080/"],
  ])("is not let through as %s", (url) => {
    expect(refusalOf(url, true)).not.toBeNull();
  });
});

it("a refusal repeats no more of the URL than its host", () => {
  const urls = ["https://user:secret@sp.example/secret?secret", "http://sp.example/secret?secret"];
  const others = ["https://sp.example/secret#secret", "https://sp.example/\tsecret", "secret:"];
  for (const url of [...urls, ...others]) expect(refusalOf(url)).not.toContain("secret");
});

it("whatever the text, it is an answer or a refusal, and the host is what was written", () => {
  const text = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.string().map((end) => `https://${end}`),
  );
  fc.assert(
    fc.property(text, (url) => {
      if (refusalOf(url) !== null) return;
      expect(`${url}/`).toContain(`https://${readTarget(url, { allowLoopback: false }).host}/`);
    }),
  );
});

// Tests of redirect URIs: disguised ones, registration, and the URI of a response.

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import "../../../verify/test/support/random-seed.ts";
import {
  hasUserInfo,
  hostOf,
  isClaimableByAnyone,
  logoutUri,
  logoutUriProblem,
  originOf,
  proveLogoutTarget,
  proveRedirectTarget,
  type RedirectTarget,
  redirectUriProblem,
  registrationProblem,
  responseUri,
} from "./redirect-target.ts";

const issuer = "https://auth.example.com";
const registered = "https://app.example.org/callback";

function prove(
  redirectUri: string,
  uris: readonly string[] = [registered],
  application_type: "web" | "native" = "web",
  state?: string,
): RedirectTarget | null {
  const client = { redirect_uris: uris, application_type };
  return proveRedirectTarget(client, { redirectUri, state, issuer });
}

function target(uri: string, state?: string): RedirectTarget {
  const proven = prove(uri, [uri], "web", state);
  if (proven === null) throw new Error(`${uri} was not proven`);
  return proven;
}

describe("a redirect_uri is the registered one by code point, or no target (RFC 6749 §3.1.2.3)", () => {
  it("the registered one is, and so is each of several", () => {
    expect(prove(registered)).toMatchObject({ uri: registered, state: undefined, issuer });
    const uris = [registered, "https://app.example.org/other"];
    expect(prove("https://app.example.org/other", uris)?.uri).toBe("https://app.example.org/other");
  });

  test.each([
    ["another case of the scheme", "HTTPS://app.example.org/callback"],
    ["another case of the host", "https://App.example.org/callback"],
    ["another case of the path", "https://app.example.org/Callback"],
    ["userinfo in front", "https://evil@app.example.org/callback"],
    ["the host as userinfo", "https://app.example.org@evil.example/callback"],
    ["host and port as userinfo", "https://app.example.org:443@evil.example/callback"],
    ["a suffix to the host", "https://app.example.org.evil.example/callback"],
    ["a prefix to the host", "https://evil-app.example.org/callback"],
    ["no host at all", "https:/callback"],
    ["another scheme", "http://app.example.org/callback"],
    ["the scheme-relative form", "//app.example.org/callback"],
    ["a port", "https://app.example.org:8443/callback"],
    ["the default port", "https://app.example.org:443/callback"],
    ["a trailing slash", "https://app.example.org/callback/"],
    ["a missing path", "https://app.example.org"],
    ["a doubled slash", "https://app.example.org//callback"],
    ["a dot segment", "https://app.example.org/x/../callback"],
    ["..;", "https://app.example.org/callback/..;/evil"],
    ["an encoded dot segment", "https://app.example.org/callback/%2e%2e/evil"],
    ["an encoded letter", "https://app.example.org/%63allback"],
    ["double encoding", "https://app.example.org/callback%252f..%252fevil"],
    ["a backslash", "https://app.example.org\\callback"],
    ["a backslash before a host", "https://evil.example\\@app.example.org/callback"],
    ["an extra query", "https://app.example.org/callback?next=https://evil.example"],
    ["an empty query", "https://app.example.org/callback?"],
    ["a fragment", "https://app.example.org/callback#evil"],
    ["an empty fragment", "https://app.example.org/callback#"],
    ["a final dot of the host", "https://app.example.org./callback"],
    ["an ideographic full stop", "https://app.example。org/callback"],
    ["a fullwidth letter", "https://ａpp.example.org/callback"],
    ["a soft hyphen", "https://app.exam\u00adple.org/callback"],
    ["a tab inside", "https://app.exam\tple.org/callback"],
    ["a newline behind", "https://app.example.org/callback\n"],
    ["a line break with a header", "https://app.example.org/callback\r\nX: y"],
    ["a space in front", " https://app.example.org/callback"],
    ["a NUL behind", "https://app.example.org/callback\0"],
    ["a path parameter", "https://app.example.org/callback;x=1"],
    ["two of them", "https://app.example.org/callback https://app.example.org/callback"],
    ["nothing", ""],
  ])("%s is refused", (_, disguise) => {
    expect(prove(disguise)).toBeNull();
    expect(prove(disguise, [registered], "native")).toBeNull();
  });

  it("any other string is refused", () => {
    const nearby = fc.tuple(fc.nat(registered.length), fc.string({ maxLength: 3 }), fc.nat(3));
    fc.assert(
      fc.property(nearby, ([at, insert, drop]) => {
        const uri = registered.slice(0, at) + insert + registered.slice(at + drop);
        expect(prove(uri) !== null).toBe(uri === registered);
      }),
    );
  });
});

describe("a native client may vary the port of a loopback redirect (RFC 8252 §7.3)", () => {
  test.each([
    ["http://127.0.0.1/cb", "http://127.0.0.1:51234/cb"],
    ["http://127.0.0.1:8000/cb", "http://127.0.0.1:51234/cb"],
    ["http://127.0.0.1:8000/cb", "http://127.0.0.1/cb"],
    ["http://[::1]/cb", "http://[::1]:65535/cb"],
    ["http://localhost:1/cb?a=b", "http://localhost:2/cb?a=b"],
  ])("%s answers at %s, and a web client's does not", (uri, presented) => {
    expect(prove(presented, [uri], "native")?.uri).toBe(presented);
    expect(prove(presented, [uri], "web")).toBeNull();
  });

  test.each([
    ["http://127.0.0.1/cb", "http://127.0.0.1:8000/other"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:8000/cb?x=1"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:8000/cb#x"],
    ["http://127.0.0.1/cb", "http://localhost:8000/cb"],
    ["http://127.0.0.1/cb", "https://127.0.0.1:8000/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:8000@evil.example/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:65536/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:08000/cb"],
    ["http://127.0.0.1/cb", "http://127.0.0.1:8000/cb\n"],
    ["http://127.0.0.1/cb", "http://127.0.0.1.evil.example:8000/cb"],
    ["http://10.0.0.1/cb", "http://10.0.0.1:8000/cb"],
    ["http://127a0b0c1/cb", "http://127a0b0c1:8000/cb"],
    ["https://127.0.0.1/cb", "https://127.0.0.1:8000/cb"],
    ["https://app.example.org/cb", "https://app.example.org:8443/cb"],
    ["com.example.app://h:1/cb", "com.example.app://h:2/cb"],
  ])("%s does not answer at %j", (uri, presented) => {
    expect(prove(presented, [uri], "native")).toBeNull();
  });
});

describe("a redirect_uri may be registered", () => {
  test.each([
    "https://app.example.org/callback",
    "https://app.example.org",
    "https://app.example.org:8443/a/b?tenant=1",
    "http://localhost:3000/callback",
    "http://127.0.0.1/callback",
    "http://[::1]:3000/callback",
  ])("%s, by web and native clients", (uri) => {
    expect(redirectUriProblem(uri, "web")).toBeNull();
    expect(redirectUriProblem(uri, "native")).toBeNull();
  });

  test.each(["com.example.app:/callback", "com.example.app://callback"])(
    "%s, by native clients alone (RFC 8252 §7.1)",
    (uri) => {
      expect(redirectUriProblem(uri, "native")).toBeNull();
      expect(redirectUriProblem(uri, "web")).toMatch(/https/);
    },
  );

  test.each([
    ["javascript:alert(1)", /https/, /dot/],
    ["JavaScript:alert(1)", /https/, /dot/],
    ["data:text/html,x", /https/, /dot/],
    ["vbscript:x", /https/, /dot/],
    ["file:///etc/passwd", /https/, /dot/],
    ["myapp:/callback", /https/, /dot/],
    ["http://app.example.org/callback", /loopback/, /loopback/],
    ["http://localhost.example.org/", /loopback/, /loopback/],
    ["http://192.168.1.1/callback", /loopback/, /loopback/],
    ["https://app.example.org/callback#x", /fragment/, /fragment/],
    ["https://app.example.org/callback#", /fragment/, /fragment/],
    ["https://me@app.example.org/", /user name/, /user name/],
    ["https://me:pw@app.example.org/", /user name/, /user name/],
    ["https://@app.example.org/", /user name/, /user name/],
    ["com.example.app://me@callback", /user name/, /user name/],
    ["/callback", /absolute/, /absolute/],
    ["//app.example.org/callback", /absolute/, /absolute/],
    ["https://", /absolute/, /absolute/],
    ["https://app.example.org/a b", /space/, /space/],
    ["https://app.example.org\\evil", /character/, /character/],
    ["https://münchen.example/", /character/, /character/],
    ["https://app.example.org/\n", /character/, /character/],
    [`https://app.example.org/${"a".repeat(2000)}`, /longer/, /longer/],
  ])("%j may not", (uri, web, native) => {
    expect(redirectUriProblem(uri, "web")).toMatch(web);
    expect(redirectUriProblem(uri, "native")).toMatch(native);
  });

  test.each(["https:callback", "https:/app.example.org/cb", "https:///app.example.org/cb"])(
    "%s may not: it names no host (RFC 9110 §4.2.2), and may lead a browser back to ourselves",
    (uri) => {
      expect(redirectUriProblem(uri, "web")).toBe("has no host");
    },
  );
});

describe("a redirect_uri that would make responses ambiguous may not be registered", () => {
  const reserved = (name: string) =>
    `has the parameter "${name}" in its query, which the response adds`;
  const wildcard = "contains a wildcard (*), but redirect URIs are compared exactly";
  test.each([
    ["https://app.example.org/*", wildcard],
    ["https://*.example.org/cb", wildcard],
    ["https://app.example.org/cb?next=*", wildcard],
    ["com.example.app:/*", wildcard],
    ["https://app.example.org/cb?code=1", reserved("code")],
    ["https://app.example.org/cb?a=1&state=", reserved("state")],
    ["https://app.example.org/cb?iss", reserved("iss")],
    ["https://app.example.org/cb?error=no&error=no", reserved("error")],
    ["https://app.example.org/cb?error_description=no", reserved("error_description")],
    ["https://app.example.org/cb?error_id=no", reserved("error_id")],
    ["https://app.example.org/cb?st%61te=x", reserved("state")],
    ["com.example.app:/cb?code=1", reserved("code")],
  ])("%s %s", (uri, problem) => {
    expect(registrationProblem(uri, "response")).toBe(problem);
    expect(redirectUriProblem(uri, "native")).toBeNull();
  });

  test.each([
    "https://app.example.org/code/state?tenant=state",
    "https://app.example.org/cb?Code=1&states=2&%2573tate=3&iss%20=4",
    "https://app.example.org/cb?tenant=%2A",
  ])("%s may", (uri) => {
    expect(registrationProblem(uri, "response")).toBeNull();
  });

  it("a sign-out adds state alone", () => {
    const at = "https://app.example.org/out";
    expect(registrationProblem(`${at}?state=1`, "logout")).toBe(reserved("state"));
    expect(registrationProblem(`${at}/*`, "logout")).toBe(wildcard);
    expect(registrationProblem(`${at}?code=1&error=2`, "logout")).toBeNull();
  });
});

test("a URI of 2,000 characters may be registered, and no longer one", () => {
  const long = `${registered}?`.padEnd(2000, "a");
  expect(redirectUriProblem(long, "web")).toBeNull();
  expect(redirectUriProblem(`${long}a`, "web")).toBe("is longer than 2,000 characters");
});

test("schemes that only look like http are private ones", () => {
  for (const uri of ["xhttp://app.example.org/", "httpsx://app.example.org/", "httpx:/cb"]) {
    expect(redirectUriProblem(uri, "web")).toBe("must use https");
    expect(hostOf(uri)).toBe(`${uri.split(":")[0]}:`);
  }
  expect(redirectUriProblem("http:/cb", "native")).toBe("has no host");
  expect(redirectUriProblem("com.example.app:/https://x@y", "native")).toBeNull();
});

test("a URI has user information if it has a password alone, or an empty user name", () => {
  for (const uri of ["https://:p@app.example.org/", "https://u@app.example.org/", "https://@app"]) {
    expect(hasUserInfo(uri), uri).toBe(true);
  }
  for (const uri of ["https://app.example.org/@x", "https://app.example.org/?a=b@c"]) {
    expect(hasUserInfo(uri), uri).toBe(false);
  }
});

test("of several loopback URIs of a native client any may come with another port", () => {
  const uris = ["http://127.0.0.1/one", "http://localhost/two"];
  expect(prove("http://localhost:4711/two", uris, "native")).not.toBeNull();
  expect(prove("x http://localhost:4711/two", ["http://localhost/two"], "native")).toBeNull();
});

describe("an answer goes to the redirect_uri as it was registered", () => {
  test.each([
    ["https://app.example.org/cb", "https://app.example.org/cb?"],
    ["https://app.example.org", "https://app.example.org?"],
    ["https://App.example.org:443/a/../b", "https://App.example.org:443/a/../b?"],
    ["https://app.example.org/%7euser/%C3%BC", "https://app.example.org/%7euser/%C3%BC?"],
    ["https://app.example.org/cb?", "https://app.example.org/cb?"],
    ["https://app.example.org/cb?tenant=a%20b", "https://app.example.org/cb?tenant=a%20b&"],
    ["https://app.example.org/cb?tenant=1&", "https://app.example.org/cb?tenant=1&"],
  ])("%s keeps its bytes", (uri, begin) => {
    const iss = encodeURIComponent(issuer);
    expect(responseUri(target(uri), { code: "dsc_1" })).toBe(`${begin}code=dsc_1&iss=${iss}`);
  });

  it("carries every parameter, state and iss exactly once (RFC 9207 §2)", () => {
    const uri = responseUri(target("https://app.example.org/cb?a=1", "s"), {
      error: "e",
      b: "x y",
    });
    expect([...new URL(uri).searchParams]).toEqual([
      ["a", "1"],
      ["error", "e"],
      ["b", "x y"],
      ["state", "s"],
      ["iss", issuer],
    ]);
  });

  it("carries no state that was not sent", () => {
    expect(responseUri(target(registered), { code: "c" })).not.toContain("state");
  });

  test.each([
    "/ + = & %",
    "a+b",
    "%2B",
    "ünï 🔑 \u{10ffff}",
    "a#b?c",
    "\r\nSet-Cookie: x",
    '"<>\\',
  ])("gives the state %j back unchanged (RFC 6749 §4.1.2)", (state) => {
    const uri = responseUri(target(registered, state), { code: "c" });
    expect(uri).toMatch(/^[\x21-\x7e]+$/);
    expect(new URL(uri).searchParams.getAll("state")).toEqual([state]);
  });

  it("gives any state back unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (state) => {
        const uri = responseUri(target(registered, state), { code: "c" });
        expect(new URL(uri).searchParams.get("state")).toBe(state);
        expect(uri.startsWith(`${registered}?`)).toBe(true);
      }),
    );
  });
});

describe("the host that a person is shown", () => {
  test.each([
    ["https://app.example.org/callback", "app.example.org"],
    ["https://app.example.org:8443/callback", "app.example.org:8443"],
    ["http://127.0.0.1:3000/callback", "127.0.0.1:3000"],
    ["http://[::1]/callback", "[::1]"],
    ["com.example.app:/callback", "com.example.app:"],
  ])("of %s is %s", (uri, host) => {
    expect(hostOf(uri)).toBe(host);
  });

  it("of a private-use scheme is the scheme with its colon, whatever host the app made up behind it", () => {
    expect(hostOf("com.evil.app://accounts.example.com/callback")).toBe("com.evil.app:");
  });

  it("is worth something only with https", () => {
    expect(isClaimableByAnyone(registered)).toBe(false);
    expect(isClaimableByAnyone("HTTPS://app.example.org/")).toBe(false);
    expect(isClaimableByAnyone("http://localhost/callback")).toBe(true);
    expect(isClaimableByAnyone("com.example.app:/callback")).toBe(true);
  });
});

describe("a post_logout_redirect_uri", () => {
  const client = { post_logout_redirect_uris: [registered], application_type: "web" } as const;
  const native = {
    post_logout_redirect_uris: ["http://127.0.0.1/callback"],
    application_type: "native",
  } as const;

  it("is the registered one by code point, at any port of a native app's loopback", () => {
    const state = "s";
    expect(proveLogoutTarget(client, { uri: registered, state })).toEqual({
      uri: registered,
      state,
    });
    expect(proveLogoutTarget(client, { uri: `${registered}/`, state })).toBeNull();
    const uri = "http://127.0.0.1:5123/callback";
    expect(proveLogoutTarget(native, { uri, state })?.uri).toBe(uri);
    expect(proveLogoutTarget({ ...native, application_type: "web" }, { uri, state })).toBeNull();
  });

  it.each([
    [undefined, registered],
    ["", `${registered}?state=`],
    ["s & 1", `${registered}?state=s+%26+1`],
  ])("gets the state %j and nothing else", (state, expected) => {
    const target = proveLogoutTarget(client, { uri: registered, state });
    expect(target && logoutUri(target)).toBe(expected);
  });
});

describe("a backchannel_logout_uri", () => {
  const origins = ["https://app.example.org", "https://two.example.org"];

  test.each([
    ["", null],
    ["https://app.example.org/logout", null],
    ["https://two.example.org/logout?x=1", null],
    ["https://app.example.org:8443/logout", "must have the same origin as a redirect_uri"],
    ["https://other.example.org/logout", "must have the same origin as a redirect_uri"],
    ["https://app.example.org/logout#x", "has a fragment"],
    ["org.example.app:/logout", "must use https"],
  ])("%j: %s", (uri, problem) => {
    expect(logoutUriProblem(uri, origins)).toBe(problem);
  });

  it("has an origin if it has a host", () => {
    expect([registered, "org.example.app:/x", "rubbish", 7, undefined].map(originOf)).toEqual([
      ...["https://app.example.org", "null", "null", "null", "null"],
    ]);
  });
});

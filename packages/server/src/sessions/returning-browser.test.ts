// Tests of the cookie of returning browsers: only one that was made here counts, for 400 days.

import { beforeEach, describe, expect, it } from "vitest";
import { testCookies } from "../../test/support/cookies.ts";
import { requestWithHeaders } from "../../test/support/http-request.ts";
import { clockFrom } from "../lib/clock.ts";
import { sha256 } from "../lib/random.ts";
import { createReturningBrowsers } from "./returning-browser.ts";

const cookies = testCookies("https://auth.example.com");
let seconds = 0;
beforeEach(() => {
  seconds = 1_800_000_000;
});

function browsers(secret = "one") {
  return createReturningBrowsers({
    cookies,
    clock: clockFrom(() => seconds * 1000),
    returningSeal: { mac: (label, at) => sha256(`${secret} ${label} ${at}`) },
  });
}

/** The labels in a request with the cookie that was set. */
function readBack(setCookie: string, by = browsers()): readonly string[] | null {
  const [pair = ""] = setCookie.split(";");
  return by.read(requestWithHeaders({ cookie: pair }));
}

it("tells accounts apart, and not the browsers of one", () => {
  const { cookieFor } = browsers();
  const [alice, bob] = [
    readBack(cookieFor("alice", "alice.test")),
    readBack(cookieFor("bob", "bob.test")),
  ];
  expect(alice).toHaveLength(3);
  expect(readBack(cookieFor("alice", "alice.test"))).toEqual(alice);
  for (const index of [0, 1, 2]) expect(bob?.[index]).not.toBe(alice?.[index]);
});

it("tells accounts below one registrable domain from each other, and that they are below it", () => {
  const of = (account: string, domain: string) =>
    readBack(browsers().cookieFor(account, domain)) ?? [];
  const [ann, bob] = [of("ann", "ann.company.com"), of("bob", "bob.company.com")];
  expect(ann.slice(0, 2)).toEqual(bob.slice(0, 2));
  expect(ann[2]).not.toBe(bob[2]);
  const [alice, carol] = [of("alice", "alice.github.io"), of("carol", "carol.github.io")];
  expect(alice[0]).toBe(carol[0]);
  expect(alice[1]).not.toBe(carol[1]);
});

it("holds neither the account nor its domain", () => {
  expect(browsers().cookieFor("sub_alice", "sub_alice.test")).not.toContain("alice");
});

it("counts for 400 days", () => {
  const cookie = browsers().cookieFor("alice", "alice.test");
  seconds += 400 * 86_400 - 1;
  expect(readBack(cookie)).not.toBeNull();
  seconds += 1;
  expect(readBack(cookie)).toBeNull();
});

describe("does not count", () => {
  it("made by another service, or with a key that was ended", () => {
    expect(readBack(browsers("another").cookieFor("alice", "alice.test"))).toBeNull();
  });

  it("with a label, a time or a MAC that was changed", () => {
    const cookie = browsers().cookieFor("alice", "alice.test");
    const [, since = "", label = "", mac = ""] = /=(\d+)\.([\w-]+)\.([\w-]+);/.exec(cookie) ?? [];
    const other = (text: string) => (text.startsWith("A") ? "B" : "A") + text.slice(1);
    for (const value of [
      `${since}.${other(label)}.${mac}`,
      `${Number(since) - 1}.${label}.${mac}`,
      `${since}.${label}.${other(mac)}`,
      ...["", "..", `${since}.${label}.`, `${since}.${label}`, "x".repeat(43)],
    ]) {
      expect(readBack(cookies.set("returning", value)), value).toBeNull();
    }
  });

  it("from a time that is still to come", () => {
    const cookie = browsers().cookieFor("alice", "alice.test");
    seconds -= 1000;
    expect(readBack(cookie)).toBeNull();
  });
});

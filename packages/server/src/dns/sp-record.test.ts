// Tests of looks at SP records and challenges, in the demo's zone and behind resolvers made up here.

import { startZone } from "domain-signin-demo/zones/zone";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { encodeTxt, recordType } from "domain-signin-verify/dns/records";
import { beforeEach, describe, expect, it } from "vitest";
import { record, serverAt } from "../../test/support/dns-server.ts";
import { fixture } from "../../test/support/fixture.ts";
import { LOOK_NOW, turns } from "../../test/support/looks-for.ts";
import { clockFrom } from "../lib/clock.ts";
import { SERVICE } from "../lib/fair-queue.ts";
import { english } from "../pages/languages.ts";
import type { FoundProblem } from "../pages/messages.ts";
import { type AssuredLook, createAssuredLook } from "./assured-look.ts";
import { NOTHING_REMEMBERED } from "./looks.ts";
import { createResolver, type DnsAnswer, type Resolver } from "./resolver.ts";
import { createSpRecords, type Freshness, failureOf, type SpRecords } from "./sp-record.ts";
import { createValidator } from "./validator.ts";
import { viewThrough } from "./view.ts";

const issuer = "https://auth.example.com";
const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
const own = `v=dsi1 sp=${issuer} acct=${acct}`;
const name = "_domain-signin.alice.test";
const clock = clockFrom(() => time * 1000);
const alone = {
  minAssurance: "single",
  rememberedOf: async () => NOTHING_REMEMBERED,
  clock,
} as const;

const { recordProblem: said } = english();
/** A problem whose sentence contains these words. */
const saying = (words: string) => ({
  asymmetricMatch: (problem: FoundProblem) => said(problem).includes(words),
});

const zone = fixture(() => startZone({ origins: ["alice.test", "bob.test"] }));
let time: number;
let asked: string[];
let spRecords: SpRecords;

beforeEach(() => {
  for (const record of zone.records()) zone.remove(record);
  time = 1000;
  asked = [];
  spRecords = recordsBehind(createResolver({ servers: [serverAt(zone.address)] }));
});

/** One resolver is configured, and nothing is signed. */
function through({ query }: Resolver): AssuredLook {
  const validator = createValidator({
    query,
    clock: clockFrom(() => time * 1000),
    trustAnchors: [],
  });
  const source = (at: string, label: string) => viewThrough(validator, at, label);
  return createAssuredLook({ sources: [source], minAssurance: "single", signedBefore: null });
}

function recordsBehind(resolver: Resolver, ourIssuer = issuer): SpRecords {
  const counting: Resolver = {
    query(queried, type) {
      asked.push(queried);
      return resolver.query(queried, type);
    },
  };
  return createSpRecords({
    ...{ lookUp: through(counting), ...alone, turns, issuer: ourIssuer },
  });
}

const add = (value: string, at = name, ttl = 300) =>
  zone.add({ name: at, type: "TXT", value, ttl });
const addAlias = (at: string, target: string) =>
  zone.add({ name: at, type: "CNAME", value: target, ttl: 300 });
const look = (freshness: Freshness = "now") =>
  spRecords.look("alice.test", { freshness, from: SERVICE });

const txtAt = (owner: string, value: string) =>
  record(owner, recordType.TXT, encodeTxt(Buffer.from(value, "latin1")), 300);

const answered = (...records: DnsRecord[]): DnsAnswer => ({
  ...{ outcome: "answer", records, authorities: [] },
});

function answering(...answers: DnsAnswer[]): Resolver {
  const timeout: DnsAnswer = { outcome: "failed", reason: "timeout" };
  let next = 0;
  return { query: async () => answers[Math.min(next++, answers.length - 1)] ?? timeout };
}

describe("a look at the record", () => {
  it("finds our own account and its keys", async () => {
    const jkt = "a".repeat(43);
    add(`${own} jkt=${jkt}`);
    add("v=spf1 -all");
    expect(await look()).toEqual({
      ...{ name, assurance: "single", checkedAt: 1000, resolvers: 1, proof: null },
      ...{ inception: null, outcome: "own", acct, jkt: [jkt], spk: [] },
      records: [
        { value: `${own} jkt=${jkt}`, problems: [] },
        { value: "v=spf1 -all", problems: [saying("another record")] },
      ],
    });
  });

  it("finds an external service provider, even one that differs in one character", async () => {
    const sp = issuer.replace("auth", "auht");
    add(own.replace(issuer, sp));
    expect(await look()).toMatchObject({ outcome: "external", sp, acct, jkt: [] });
  });

  it.each([
    [`${issuer}/`, "remove the slash"],
    [`${issuer}/oauth`, "remove the slash"],
    [issuer.replace("https", "http"), "http or https"],
  ])("takes another spelling of our own issuer for a mistake: %s", async (sp, sentence) => {
    add(own.replace(issuer, sp));
    expect(await look()).toMatchObject({
      outcome: "invalid",
      records: [{ problems: [saying(sentence)] }],
    });
  });

  it("takes no challenge for a record, and says that it is one", async () => {
    add(`v=dsi1-chal sp=${issuer} chal=${acct}`);
    expect(await look()).toMatchObject({
      outcome: "absent",
      records: [{ problems: [{ code: "is_challenge" }] }],
    });
  });

  it("counts octets, not characters, where it tells what was meant as a record", async () => {
    const at = (start: string) => `${Buffer.from(start).toString("latin1")}${own}`;
    const meant = async (value: string) => {
      const answer = recordsBehind(answering(answered(txtAt(name, value))));
      return (await answer.look("alice.test", LOOK_NOW)).outcome;
    };
    expect(await meant(at("\u201c".repeat(3)))).toBe("invalid");
    expect(await meant(at("\u201c".repeat(4)))).toBe("absent");
  });

  it("takes our own issuer with its port, and our own loopback issuer", async () => {
    const answer = (sp: string) => answered(txtAt(name, own.replace(issuer, sp)));
    const withPort = "https://auth.example.com:8443";
    const ours = recordsBehind(answering(answer(withPort)), withPort);
    expect(await ours.look("alice.test", LOOK_NOW)).toMatchObject({ outcome: "own" });
    const others = recordsBehind(answering(answer(withPort)));
    expect(await others.look("alice.test", LOOK_NOW)).toMatchObject({ outcome: "invalid" });
    const loopback = "http://localhost:4000";
    const demo = createSpRecords({
      ...{ lookUp: through(answering(answer(loopback))), ...alone, turns, issuer: loopback },
    });
    expect(await demo.look("alice.test", LOOK_NOW)).toMatchObject({ outcome: "own" });
  });

  it.each([
    [[], "absent"],
    [["v=spf1 -all"], "absent"],
    [["v=dsi1 sp=none"], "disabled"],
    [["v=dsi1 sp=what"], "invalid"],
    [[own, "v=dsi1 sp=none"], "ambiguous"],
    [["v=dsi2"], "unsupported"],
  ])("tells %j as %s", async (values, outcome) => {
    for (const value of values) add(value);
    const found = await look();
    expect(found.outcome).toBe(outcome);
    expect(found.records.map(({ value }) => value).sort()).toEqual([...values].sort());
  });

  it("joins the strings of one record and never two records", async () => {
    add(`${own} x=${"y".repeat(600)}`);
    expect(await look()).toMatchObject({ outcome: "own" });
    zone.remove({ name, type: "TXT", value: `${own} x=${"y".repeat(600)}` });
    add(`v=dsi1 sp=${issuer};`);
    add(` acct=${acct}`);
    expect(await look()).toMatchObject({ outcome: "invalid" });
  });

  it("is at exactly this name, never at a parent or the apex", async () => {
    add(own, "alice.test");
    add(own);
    expect(await spRecords.look("www.alice.test", LOOK_NOW)).toMatchObject({
      name: "_domain-signin.www.alice.test",
      outcome: "absent",
    });
    expect(asked).toEqual(["_domain-signin.www.alice.test"]);
  });

  it("does not take octets that are not ASCII for something else", async () => {
    const hidden = answered(txtAt(name, `${own} x=\xff`));
    const look = await recordsBehind(answering(hidden)).look("alice.test", LOOK_NOW);
    const records = [{ problems: [saying("ASCII")] }];
    expect(look).toMatchObject({ outcome: "invalid", records });
  });

  it("shows a person no more than can be read", async () => {
    for (let index = 0; index < 20; index++) add(`${index} ${"x".repeat(2000)}`);
    const { records } = await look();
    expect(records).toHaveLength(16);
    expect(records.every(({ value }) => value.length === 1025)).toBe(true);
    add(own);
    expect((await look()).records[0]).toEqual({ value: own, problems: [] });
  });
});

describe("a failure", () => {
  it("is told as such, authenticates nobody and is asked again", async () => {
    const failing = recordsBehind(answering({ outcome: "failed", reason: "servfail" }));
    for (const freshness of ["cached", "recent", "cached"] as const) {
      expect(await failing.look("alice.test", { freshness, from: SERVICE })).toMatchObject({
        ...{ outcome: "indeterminate", reason: "servfail", records: [] },
      });
    }
    expect(asked).toHaveLength(3);
  });

  it("of validation is told apart", async () => {
    const bogus = recordsBehind(answering({ outcome: "bogus", reason: "Signature Expired" }));
    const expected = { outcome: "bogus", reason: "Signature Expired" };
    expect(await bogus.look("alice.test", LOOK_NOW)).toMatchObject(expected);
  });
});

describe("an alias", () => {
  it("that keeps the label hands the record over", async () => {
    addAlias(name, "_domain-signin.bob.test");
    add(own, "_domain-signin.bob.test");
    expect(await look()).toMatchObject({ name, outcome: "own", acct });
  });

  it("to a web host does not hand over the identity", async () => {
    addAlias(name, "web.bob.test");
    add(own, "web.bob.test");
    const expected = { outcome: "alias_invalid", target: "web.bob.test", records: [] };
    expect(await look()).toMatchObject(expected);
  });
});

describe("aliases that lead nowhere", () => {
  it("are not followed: a loop", async () => {
    addAlias(name, "_domain-signin.bob.test");
    addAlias("_domain-signin.bob.test", name);
    expect(await look()).toMatchObject({ outcome: "alias_invalid", target: name });
  });

  it("are not followed: more than eight", async () => {
    const hops = Array.from({ length: 9 }, (_, hop) => `_domain-signin.h${hop}.bob.test`);
    const names = [name, ...hops];
    for (const [hop, target] of names.slice(1, 9).entries()) addAlias(names[hop] ?? "", target);
    add(own, names[8]);
    expect(await look()).toMatchObject({ outcome: "own" });
    zone.remove({ name: names[8] ?? "", type: "TXT", value: own });
    addAlias(names[8] ?? "", names[9] ?? "");
    add(own, names[9]);
    expect(await look("now")).toMatchObject({ outcome: "alias_invalid" });
  });

  it("are not followed: one to a web host that is an alias of itself", async () => {
    addAlias(name, "web.bob.test");
    addAlias("web.bob.test", "web.bob.test");
    expect(await look()).toMatchObject({ outcome: "alias_invalid", target: "web.bob.test" });
  });
});

describe("what is remembered", () => {
  it.each([
    ["a record for its TTL", 120, 120],
    ["a record for 300 s at most", 9999, 300],
  ])("%s", async (_, ttl, seconds) => {
    add(own, name, ttl);
    await look("cached");
    time += seconds - 1;
    await look("cached");
    expect(asked).toHaveLength(1);
    time += 1;
    expect(await look("cached")).toMatchObject({ checkedAt: 1000 + seconds });
    expect(asked).toHaveLength(2);
  });

  it("is an absence for 60 s, and less for who wants a recent or a new look", async () => {
    expect(await look("cached")).toMatchObject({ outcome: "absent" });
    add(own);
    time += 3;
    expect(await look("recent")).toMatchObject({ outcome: "absent" });
    time += 1;
    expect(await look("cached")).toMatchObject({ outcome: "absent" });
    expect(await look("recent")).toMatchObject({ outcome: "own" });
    zone.remove({ name, type: "TXT", value: own });
    expect(await look("now")).toMatchObject({ outcome: "absent" });
    time += 60;
    add(own);
    expect(await look("cached")).toMatchObject({ outcome: "own" });
  });

  it("is one look for all who ask at once", async () => {
    add(own);
    const looks = await Promise.all([look("now"), look("recent"), look("cached"), look("now")]);
    expect(looks.map(({ outcome }) => outcome)).toEqual(["own", "own", "own", "own"]);
    expect(asked).toHaveLength(1);
  });
});

describe("a look for the answer to a challenge", () => {
  const challengeName = "_domain-signin-challenge.alice.test";
  const chal = "c".repeat(22);
  const answer = `v=dsi1-chal sp=${issuer} chal=${chal}`;

  it("sees the record among others, and asks anew each time", async () => {
    add("hello", challengeName);
    expect(await spRecords.lookForChallenge("alice.test", chal, SERVICE)).toEqual({
      ...{ name: challengeName, checkedAt: 1000, outcome: "not_seen" },
      records: [{ value: "hello", problems: [saying("another record")] }],
    });
    add(answer, challengeName);
    const seen = { name: challengeName, checkedAt: 1000, outcome: "seen" };
    expect(await spRecords.lookForChallenge("alice.test", chal, SERVICE)).toEqual(seen);
  });

  it.each([
    [`v=dsi1-chal sp=${issuer} chal=${"d".repeat(22)}`, "another challenge"],
    [answer.replace("auth.", "evil."), "another service"],
    [`${answer} chal=${chal}`, "more than once"],
  ])("does not take %j for it", async (value, told) => {
    add(value, challengeName);
    const look = await spRecords.lookForChallenge("alice.test", chal, SERVICE);
    const records = [{ value, problems: [saying(told)] }];
    expect(look).toMatchObject({ outcome: "not_seen", records });
  });

  it("finds nothing when there is nothing", async () => {
    const found = await spRecords.lookForChallenge("alice.test", chal, SERVICE);
    expect(found).toMatchObject({ outcome: "not_seen", records: [] });
  });

  it("follows an alias that keeps the label, and shows another", async () => {
    addAlias(challengeName, "_domain-signin-challenge.bob.test");
    add(answer, "_domain-signin-challenge.bob.test");
    expect(await spRecords.lookForChallenge("alice.test", chal, SERVICE)).toMatchObject({
      outcome: "seen",
    });
    addAlias("_domain-signin-challenge.b.alice.test", "_domain-signin.bob.test");
    add(answer, "_domain-signin.bob.test");
    const look = await spRecords.lookForChallenge("b.alice.test", chal, SERVICE);
    const [value, problems] = ["CNAME _domain-signin.bob.test", [saying("not meant for sign-in")]];
    expect(look).toMatchObject({ outcome: "not_seen", records: [{ value, problems }] });
  });

  it("tells a failure as such", async () => {
    const lookFor = (answer: DnsAnswer) =>
      recordsBehind(answering(answer)).lookForChallenge("alice.test", chal, SERVICE);
    const failed = { outcome: "indeterminate", reason: "timeout" };
    expect(await lookFor({ outcome: "failed", reason: "timeout" })).toMatchObject(failed);
    const bogus = { outcome: "bogus", reason: "DNSSEC Bogus" } as const;
    expect(await lookFor(bogus)).toMatchObject(bogus);
  });
});

it.each([
  ["busy", "busy"],
  ["timeout", "indeterminate"],
  ["blocked", "blocked"],
] as const)("a look that failed with %s is called %s on the pages", (reason, failure) => {
  const look = { name, checkedAt: 0, outcome: "indeterminate", reason } as const;
  expect(failureOf(look)).toBe(failure);
});

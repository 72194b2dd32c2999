// Tests of what a server says about TXT records: which aliases are followed, in one answer or by asking again.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { beforeEach, describe, expect, it } from "vitest";
import { aliasRecord, textRecord } from "../../test/support/dns-server.ts";
import type { DnsAnswer, Query } from "./resolver.ts";
import { answerThrough } from "./server-answer.ts";

const name = "_label.alice.test";

let asked: string[];
let zone: Record<string, DnsAnswer>;

beforeEach(() => {
  asked = [];
  zone = {};
});

const query: Query = async (queried) => {
  asked.push(queried);
  return zone[queried] ?? { outcome: "nxdomain", records: [], authorities: [] };
};

async function look(at = name) {
  const who = { kind: "resolver", name: "x", address: "192.0.2.1" } as const;
  const { who: same, ...answer } = await answerThrough(query, { who, name: at, label: "_label" });
  expect(same).toBe(who);
  return answer;
}

function answer(...records: DnsRecord[]): DnsAnswer {
  return { outcome: "answer", records, authorities: [] };
}

const txt = (owner: string, value = "hello", ttl = 300) => textRecord(owner, value, ttl);
const alias = (owner: string, target: string, ttl = 300) => aliasRecord(owner, target, ttl);

function found(...values: string[]) {
  return { outcome: "answered", values };
}

function refused(target: string) {
  return { outcome: "answered", values: [`CNAME ${target}`], aliasTarget: target, ttl: 300 };
}

describe("the values at a name", () => {
  it("are those of this name, class and type", async () => {
    const others = [txt("alice.test"), { ...txt(name), class: 3 }, { ...txt(name), type: 99 }];
    zone[name] = answer(...others, txt(name, "one", 7), txt(name, "two", 5));
    expect(await look("_LABEL.alice.test.")).toEqual({ ...found("one", "two"), ttl: 5 });
  });

  it("may be none, whether the name is there or not", async () => {
    expect(await look()).toEqual({ ...found(), ttl: null });
    zone[name] = answer();
    expect(await look()).toEqual({ ...found(), ttl: null });
  });

  it("keep a byte order mark, and show what is not UTF-8", async () => {
    zone[name] = answer(txt(name, "\ufeffx"), { ...txt(name), rdata: Uint8Array.of(1, 255) });
    expect(await look()).toMatchObject(found("\ufeffx", "\ufffd"));
  });
});

describe("an alias", () => {
  it("is followed to a name that keeps the label, even through one that does not", async () => {
    zone[name] = answer(alias(name, "hop.test"));
    zone["hop.test"] = answer(alias("hop.test", "x._label.test"));
    zone["x._label.test"] = answer(txt("x._label.test"));
    expect(await look()).toMatchObject(found("hello"));
    expect(asked).toEqual([name, "hop.test", "x._label.test"]);
  });

  it("is followed inside one answer without asking again, for the least TTL on the way", async () => {
    const chain = [
      txt("_label.c.test"),
      alias(name, "b.test", 9),
      alias("b.test", "_label.c.test"),
    ];
    zone[name] = answer(...chain);
    expect(await look()).toEqual({ ...found("hello"), ttl: 9 });
    expect(asked).toEqual([name]);
  });

  it("to a name without records is an absence if the label is kept", async () => {
    zone[name] = answer(alias(name, "_label.b.test"));
    expect(await look()).toMatchObject(found());
    zone["_label.b.test"] = answer();
    expect(await look()).toMatchObject(found());
    zone[name] = { outcome: "nxdomain", records: [alias(name, "_label.b.test")], authorities: [] };
    asked = [];
    expect(await look()).toMatchObject(found());
    expect(asked).toEqual([name]);
  });

  it("to a name without the label is refused, whatever is there", async () => {
    for (const target of ["web.test", "x_label.test", "_label-x.test", "\\095label\\046x.test"]) {
      zone[name] = answer(alias(name, target), txt(target));
      expect(await look()).toHaveProperty("aliasTarget");
      zone[name] = answer(alias(name, target));
      expect(await look()).toHaveProperty("aliasTarget");
    }
    zone[name] = { outcome: "nxdomain", records: [alias(name, "web.test")], authorities: [] };
    expect(await look()).toEqual(refused("web.test"));
  });

  it("that loops is refused, asked for one by one or told in one answer", async () => {
    zone[name] = answer(alias(name, "_label.b.test"));
    zone["_label.b.test"] = answer(alias("_label.b.test", name));
    expect(await look()).toEqual(refused(name));
    expect(asked).toHaveLength(2);
    zone[name] = answer(alias(name, name));
    expect(await look()).toEqual(refused(name));
  });

  it("is followed eight times and no more", async () => {
    const names = [name, ...Array.from({ length: 9 }, (_, index) => `${index + 1}._label.test`)];
    const hops = names.slice(1).map((target, index) => alias(names[index] ?? "", target));
    const eighth = names[8] ?? "";
    zone[name] = answer(...hops.slice(0, 8), txt(eighth));
    expect(await look()).toMatchObject(found("hello"));
    zone[name] = answer(...hops, txt(names[9] ?? ""));
    expect(await look()).toEqual(refused(names[9] ?? ""));
    for (const hop of hops) zone[hop.name] = answer(hop);
    expect(await look()).toEqual(refused(names[9] ?? ""));
  });
});

describe("a failure", () => {
  it("is no absence, at the name or on the way through aliases", async () => {
    zone[name] = { outcome: "failed", reason: "timeout" };
    expect(await look()).toEqual({ outcome: "silent", values: [], ttl: null });
    zone[name] = answer(alias(name, "_label.b.test"));
    zone["_label.b.test"] = { outcome: "bogus", reason: "DNSSEC Bogus" };
    expect(await look()).toEqual({ outcome: "failed", values: [], ttl: null });
  });
});

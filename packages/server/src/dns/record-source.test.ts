// Tests of the record sets that a proof may see of the answers of a resolver.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { encodeName } from "domain-signin-verify/dns/name";
import { recordType } from "domain-signin-verify/dns/records";
import { describe, expect, it } from "vitest";
import { nsecRdata } from "../../../verify/test/support/denials.ts";
import { aliasRecord, record, textRecord } from "../../test/support/dns-server.ts";
import type { Query } from "../../test/support/validator-world.ts";
import { clockFrom } from "../lib/clock.ts";
import { createRecordSources } from "./record-source.ts";

const { TXT, CNAME, DNAME, DS, DNSKEY, NSEC, SOA, A } = recordType;

const text = textRecord("a.test", "v");
const alias = aliasRecord("a.test", "b.test");
const key = record("test", DNSKEY, Uint8Array.of(1, 0, 3, 13, 1));

function sourceOf(records: readonly DnsRecord[], authorities: readonly DnsRecord[] = []) {
  const asked: string[] = [];
  const query: Query = async (name, type) => {
    asked.push(`${type} ${name}`);
    return { outcome: "answer", records, authorities };
  };
  const source = createRecordSources({ query, clock: clockFrom(() => 0) });
  return { asked, source };
}

async function seen(source: ReturnType<typeof sourceOf>["source"], name: string, type: number) {
  const sets = await source().rrsets(name, type);
  return sets.map((set) => `${set.type} ${set.name}`).sort();
}

describe("an answer", () => {
  it("contains the requested type and aliases, and denials of the authority section", async () => {
    const denial = record("a.test", NSEC, nsecRdata("b.test", ["A"]));
    const dname = record("test", DNAME, encodeName("other"));
    const { source } = sourceOf([text, alias, dname, key], [denial]);
    const expected = [`${TXT} a.test`, `${CNAME} a.test`, `${DNAME} test`, `${NSEC} a.test`];
    expect(await seen(source, "a.test", TXT)).toEqual(expected.sort());
  });

  it("contains nothing else of either section, nor of another class", async () => {
    const denial = record("a.test", NSEC, nsecRdata("b.test", ["A"]));
    const address = record("a.test", A, Uint8Array.of(127, 0, 0, 1));
    const soa = record("test", SOA, new Uint8Array(22));
    const { source } = sourceOf(
      [denial, key, address, { ...text, class: 3 }],
      [text, alias, key, soa, address],
    );
    expect(await seen(source, "a.test", TXT)).toEqual([]);
  });

  it("answers the question about the end of its aliases too, but of that type only", async () => {
    const end = { ...text, name: "b.test" };
    const { source, asked } = sourceOf([alias, end]);
    const look = source();
    await look.rrsets("a.test", TXT);
    expect(await look.rrsets("b.test", TXT)).toBe(await look.rrsets("a.test", TXT));
    expect(asked).toEqual([`${TXT} a.test`]);
    await look.rrsets("b.test", DS);
    expect(asked).toEqual([`${TXT} a.test`, `${DS} b.test`]);
  });
});

it("a denial in an answer does not answer the question about its own name", async () => {
  const denial = record("a.test", NSEC, nsecRdata("b.test", ["TXT"]));
  const { source, asked } = sourceOf([], [denial]);
  const look = source();
  await look.rrsets("aa.test", TXT);
  await look.rrsets("a.test", TXT);
  expect(asked).toEqual([`${TXT} aa.test`, `${TXT} a.test`]);
});

describe("a failure", () => {
  it.each([
    [{ outcome: "failed", reason: "timeout" }, "indeterminate"],
    [{ outcome: "bogus", reason: "DNSSEC Bogus" }, "bogus"],
  ] as const)("is an error, and never shared with a later look: %j", async (answer, security) => {
    let count = 0;
    const query: Query = async () => {
      count++;
      return answer;
    };
    const source = createRecordSources({ query, clock: clockFrom(() => 0) });
    for (const look of [1, 2]) {
      await expect(source().rrsets("test", DNSKEY)).rejects.toMatchObject({
        unusable: { security },
      });
      expect(count).toBe(look);
    }
  });
});

it("a question is shared with looks that begin within 0.4 s, and not with later ones", async () => {
  let milliseconds = 0;
  let asked = 0;
  const query: Query = () => {
    asked++;
    return new Promise(() => {});
  };
  const source = createRecordSources({ query, clock: clockFrom(() => milliseconds) });
  const askAt = (time: number) => {
    milliseconds = time;
    source()
      .rrsets("a.test", TXT)
      .catch(() => {});
    return asked;
  };
  expect([askAt(0), askAt(399), askAt(400), askAt(799)]).toEqual([1, 1, 2, 2]);
});

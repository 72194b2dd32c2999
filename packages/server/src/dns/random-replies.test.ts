// Tests that no change to replies makes a signed zone unsigned: a sample of a small world, in slow all of it.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleOf } from "../../../verify/test/support/random-seed.ts";
import { type Query, startChainWorld, told } from "../../test/support/chain-world.ts";
import { createChains } from "./chain.ts";
import type { DnsAnswer } from "./resolver.ts";

const { TXT, DS, DNSKEY, SOA, NSEC } = recordType;

type Reply = Extract<DnsAnswer, { outcome: "answer" | "nxdomain" }>;

const path = [
  ...[`${DNSKEY} `, `${DS} test`, `${DNSKEY} test`],
  ...[`${DS} alice.test`, `${DNSKEY} alice.test`],
];
const names = [
  ...["", "nothing", "test", "alice.test", "carol.test", "market.test"],
  ...["nothing.test", "nothing.alice.test", "x.carol.test"],
];

let world: Awaited<ReturnType<typeof startChainWorld>>;
const heard = new Map<string, Reply>();
let answers: readonly DnsRecord[];

beforeAll(async () => {
  const txtAt = (name: string) => ({ name, type: "TXT", value: "v=dsi1" }) as const;
  world = await startChainWorld([txtAt("_x.alice.test"), txtAt("_x.carol.test")]);
  answers = await world.answersFor("_x.alice.test");
  for (const name of names) {
    for (const type of [DS, DNSKEY, SOA, NSEC]) {
      const reply = await world.query(name, type);
      if ("records" in reply) heard.set(`${type} ${name}`, reply);
    }
  }
  world.dns.close();
});

/** Of the changes to one reply. */
const SAMPLE = 20;
const absence: Reply = { outcome: "answer", records: [], authorities: [] };

const replyTo = (question: string) => heard.get(question) ?? absence;

/** What looks make of these replies, and for the rest of what was heard before. */
async function outcomes(others: Readonly<Record<string, Reply>>, zone = "alice.test") {
  const query: Query = async (name, type) =>
    others[`${type} ${name}`] ?? replyTo(`${type} ${name}`);
  const chains = () => createChains({ query, now: world.now, trustAnchors: world.trustAnchors });
  const delegation = told(await chains().delegation(zone));
  const proven = told(await chains().prove(`_x.${zone}`, TXT, answers));
  return [delegation, proven];
}

async function neverUnsigned(others: Readonly<Record<string, Reply>>, what: string) {
  const said = await outcomes(others);
  if (said.some((word) => word.startsWith("unsigned"))) throw new Error(`${what}: ${said}`);
}

function named({ outcome, records, authorities }: Reply, name: string): Reply {
  const rename = (record: DnsRecord) => ({ ...record, name });
  return { outcome, records: records.map(rename), authorities: authorities.map(rename) };
}

describe("alice.test", () => {
  it("is signed by what was heard, as carol.test is unsigned", async () => {
    expect(heard.size).toBe(4 * names.length);
    expect(await outcomes({})).toEqual(["signed", "secure"]);
    expect((await outcomes({}, "carol.test"))[0]).toBe("unsigned");
  });

  it.each(path)(
    "is never unsigned, whatever was heard in place of the reply to: %s",
    async (question) => {
      const truth = replyTo(question);
      const [, name = ""] = question.split(" ");
      const others = [...heard].flatMap(([from, reply]) => {
        const { records, authorities } = reply;
        const besides = {
          ...truth,
          records: [],
          authorities: [...authorities, ...truth.authorities],
        };
        const moved = { ...absence, authorities: [...records, ...authorities] };
        return [reply, named(reply, name), besides, moved].map((other) => ({ from, other }));
      });
      for (const { from, other } of sampleOf(others, SAMPLE)) {
        await neverUnsigned({ [question]: other }, `that to ${from}`);
      }
    },
  );

  it("is never unsigned, whatever was heard in place of both delegations", async () => {
    const denials = [...heard].filter(([question]) => question.startsWith(`${DS} `));
    const pairs = denials.flatMap((first) => denials.map((second) => [first, second] as const));
    for (const [[from, first], [beside, second]] of sampleOf(pairs, SAMPLE)) {
      const others = { [`${DS} test`]: first, [`${DS} alice.test`]: second };
      await neverUnsigned(others, `${from} and ${beside}`);
    }
  });

  it.each(path)(
    "is never unsigned by a record left out, doubled or changed in: %s",
    async (question) => {
      // Beside what proves a sibling unsigned, of which a change could make something.
      const { authorities } = replyTo(`${DS} carol.test`);
      const all = [...replyTo(question).records, ...authorities];
      const replies = all.flatMap((record, index) => {
        const rest = all.filter((_, other) => other !== index);
        const changed = Array.from({ length: 6 }, (_, turn) => [
          withBitTurned(record, turn / 6, turn),
        ]);
        return [[], [record, record], ...changed].map((put) => ({
          what: `record ${index} of type ${record.type}`,
          reply: { ...absence, records: [...rest, ...put] },
        }));
      });
      for (const { what, reply } of sampleOf(replies, SAMPLE)) {
        await neverUnsigned({ [question]: reply }, what);
      }
    },
  );
});

/** `part` of the way through its rdata. */
function withBitTurned(record: DnsRecord, part: number, bit: number): DnsRecord {
  const rdata = new Uint8Array(record.rdata);
  const at = Math.floor(rdata.length * part);
  rdata[at] = (rdata[at] ?? 0) ^ (1 << bit);
  return { ...record, rdata };
}

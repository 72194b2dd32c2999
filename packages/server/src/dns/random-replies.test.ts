// Tests that no change to replies makes a secure zone insecure: a sample of a small world, all of it in the slow project.

import type { DnsRecord } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleOf } from "../../../verify/test/support/random-seed.ts";
import { fixture } from "../../test/support/fixture.ts";
import {
  type Query,
  startValidatorWorld,
  txtAt,
  verdictOf,
} from "../../test/support/validator-world.ts";
import { clockFrom } from "../lib/clock.ts";
import type { DnsAnswer } from "./resolver.ts";
import { createValidator } from "./validator.ts";

const { TXT, DS, DNSKEY, SOA, NSEC } = recordType;

const TYPES = [TXT, DS, DNSKEY, SOA, NSEC];

type Reply = Extract<DnsAnswer, { outcome: "answer" | "nxdomain" }>;

const path = [
  `${TXT} _x.alice.test`,
  ...[`${DNSKEY} `, `${DS} test`, `${DNSKEY} test`],
  ...[`${DS} alice.test`, `${DNSKEY} alice.test`],
];
const names = [
  ...["", "nothing", "test", "alice.test", "carol.test", "market.test"],
  ...["nothing.test", "nothing.alice.test", "x.carol.test", "_x.alice.test", "_x.carol.test"],
];

const world = fixture(() => startValidatorWorld(["_x.alice.test", "_x.carol.test"].map(txtAt)));
const heard = new Map<string, Reply>();

beforeAll(async () => {
  for (const name of names) {
    for (const type of TYPES) {
      const reply = await world.query(name, type);
      if ("records" in reply) heard.set(`${type} ${name}`, reply);
    }
  }
});

/** Of the changes to one reply. */
const SAMPLE = 20;
const absence: Reply = { outcome: "answer", records: [], authorities: [] };

const replyTo = (question: string) => heard.get(question) ?? absence;

/** The verdicts of new validators on these replies, and for the rest on what was heard before. */
async function verdicts(others: Readonly<Record<string, Reply>>, zone = "alice.test") {
  const query: Query = async (name, type) =>
    others[`${type} ${name}`] ?? replyTo(`${type} ${name}`);
  const { now, trustAnchors } = world;
  const validator = () =>
    createValidator({ query, clock: clockFrom(() => now() * 1000), trustAnchors });
  const ofZone = verdictOf(await validator().isInsecure(zone));
  return [ofZone, verdictOf(await validator().validate(`_x.${zone}`, TXT))];
}

/** Nor may the record disappear. */
async function neverInsecure(others: Readonly<Record<string, Reply>>, what: string) {
  const given = await verdicts(others);
  const isWrong = given.some((word) => word.startsWith("insecure") || word.includes(", "));
  if (isWrong) throw new Error(`${what}: ${given}`);
}

function named({ outcome, records, authorities }: Reply, name: string): Reply {
  const rename = (record: DnsRecord) => ({ ...record, name });
  return { outcome, records: records.map(rename), authorities: authorities.map(rename) };
}

describe("alice.test", () => {
  it("is secure by what was heard, as carol.test is insecure", async () => {
    expect(heard.size).toBe(TYPES.length * names.length);
    expect(await verdicts({})).toEqual(["secure", "secure"]);
    expect(await verdicts({}, "carol.test")).toEqual(["insecure", "insecure carol.test"]);
  });

  it.each(path)(
    "is never insecure, whatever was heard in place of the reply to: %s",
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
        await neverInsecure({ [question]: other }, `that to ${from}`);
      }
    },
  );

  it("is never insecure, whatever was heard in place of both delegations", async () => {
    const denials = [...heard].filter(([question]) => question.startsWith(`${DS} `));
    const pairs = denials.flatMap((first) => denials.map((second) => [first, second] as const));
    for (const [[from, first], [beside, second]] of sampleOf(pairs, SAMPLE)) {
      const others = { [`${DS} test`]: first, [`${DS} alice.test`]: second };
      await neverInsecure(others, `${from} and ${beside}`);
    }
  });

  it.each(path)(
    "is never insecure by a record left out, doubled or changed in: %s",
    async (question) => {
      // Beside the proof that a sibling is insecure, which a change could turn into something else.
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
        await neverInsecure({ [question]: reply }, what);
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

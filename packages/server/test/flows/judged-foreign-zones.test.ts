// Our verdict on random zones that BIND and ldns signed, good and spoilt, compared with unbound and delv.

import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import fc from "fast-check";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { SEED, tries } from "../../../verify/test/support/random-seed.ts";
import { signerTests } from "../../../verify/test/support/zone-signers.ts";
import { createResolver } from "../../src/dns/resolver.ts";
import { createValidator, type Validated, type Validator } from "../../src/dns/validator.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { serverAt } from "../support/dns-server.ts";
import { type ForeignWorld, foreignWorlds, signForeignWorld } from "../support/foreign-zones.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { verdictOf } from "../support/validator-world.ts";
import {
  type Judgement,
  startDelv,
  startResolver,
  startUnbound,
  startZoneServer,
  type Verdict,
  validatorTests,
} from "../support/validators.ts";

const { CNAME, TXT } = recordType;
/** Each has five to nine zones. */
const WORLDS = Number(process.env.FOREIGN_WORLDS ?? tries({ sample: 2, full: 60 }));

const lateTurns = 5;
/**
 * The same zones in every short run and in every sample of a long one: a way to differ that is rare must not fail
 * the check of a change that has nothing to do with it. It is found by whole long runs.
 */
const seed = process.env.FOREIGN_WORLDS === undefined ? tries({ sample: 1, full: SEED }) : 1;

/** "bogus" is also what others fail to answer: they ask again and again, and give up. */
type Word = "secure" | "insecure" | "bogus";
/** We ask the authoritative server, a resolver that validates nothing, and unbound. */
const judges = ["direct", "resolver", "validating", "unbound", "delv"] as const;
type Who = (typeof judges)[number];
type Said = Readonly<Record<Who, Word>>;

interface Case {
  readonly world: ForeignWorld;
  readonly name: string;
  readonly said: Said;
  /** Whether unbound's answer has an alias. */
  readonly hasAlias: boolean;
  /** In the words of each. */
  readonly reasons: Readonly<Record<Who, string>>;
}

const OPT_OUT_ABSENCE = /NSEC3 1 1 .*ncache (?:nxdomain|nxrrset)$/;

/**
 * Why validators may differ. Every disagreement must be one of these. What we say through an unbound that
 * validates follows what that unbound says.
 */
const knownDisagreements: readonly { reason: string; fits(one: Case): boolean }[] = [
  {
    reason: "delv takes an absence under opt-out for secure, against RFC 5155 §9.2",
    fits: ({ said: { delv, ...others }, reasons }) =>
      areAll({ delv }, "secure") &&
      areAll(others, "insecure") &&
      OPT_OUT_ABSENCE.test(reasons.delv),
  },
  {
    reason: "delv does not ask for the proof that an alias from a wildcard needs (RFC 4035 §5.3.4)",
    fits: ({ said: { delv, ...others }, reasons }) =>
      areAll({ delv }, "secure") && areAll(others, "bogus") && reasons.direct === "bogus wildcard",
  },
  {
    reason: "unbound does not check where an alias of an insecure zone leads",
    fits: ({ said: { unbound, ...others }, hasAlias, reasons }) =>
      areAll({ unbound }, "insecure") &&
      areAll(others, "bogus") &&
      hasAlias &&
      reasons.delv.startsWith("; unsigned answer"),
  },
  {
    reason: "unbound refuses an alias that leads from a wildcard to an insecure zone",
    fits: ({ said: { unbound, validating, ...others }, reasons }) =>
      areAll({ unbound, validating }, "bogus") &&
      areAll(others, "insecure") &&
      /cname\w* proof failed/.test(reasons.unbound),
  },
  {
    // It has no other records, so no zone begins there (RFC 1034 §3.6.2).
    reason: "unbound fails, and delv may, if a name above the zone is an alias that leads nowhere",
    fits: ({ said: { unbound, validating, delv, ...ours }, reasons }) =>
      areAll({ unbound, validating }, "bogus") &&
      (areAll(ours, delv) ||
        (areAll(ours, "insecure") &&
          // Or it takes the absence under opt-out for secure, as above.
          (reasons.delv.includes("broken trust chain") || OPT_OUT_ABSENCE.test(reasons.delv)))) &&
      /SERVFAIL no DS .* for DS \S+ while building chain of trust/.test(reasons.unbound),
  },
  {
    // BIND leaves it out if only insecure delegations are below it. NSD then sends half of a proof.
    reason: "unbound and delv need a proof of an empty name above the zone, that opt-out left out",
    fits: ({ said: { direct, resolver, ...others }, reasons }) =>
      areAll({ direct, resolver }, "insecure") &&
      areAll(others, "bogus") &&
      /no NSEC3 closest encloser .* for DS \S+ while building chain of trust/.test(reasons.unbound),
  },
  {
    // What the parent zone signs at the delegation proves that it is one, and that it has no DS record.
    reason:
      "unbound and delv ask for a DS record at each name above the zone; RFC 4035 §5.2 wants only that of the zone",
    fits: ({ said: { direct, resolver, ...others }, reasons }) => {
      const [, zone] = /^insecure (\S+)$/.exec(reasons.direct) ?? [];
      const [, above] =
        /no (?:signatures over NSECs|NSEC3 records) from \S+ for DS (\S+)\. while building chain of trust/.exec(
          reasons.unbound,
        ) ?? [];
      return (
        areAll({ direct, resolver }, "insecure") &&
        areAll(others, "bogus") &&
        zone?.endsWith(`.${above}`) === true &&
        reasons.delv.includes(`no valid RRSIG resolving '${above}/DS/IN'`)
      );
    },
  },
  {
    reason: "unbound asks for the DS record of a name above the zone; delv does not, as we do not",
    fits: ({ world, name, said: { unbound, validating, ...others }, reasons }) => {
      const failed = /no DNSSEC records from \S+ for DS (\S+)\. while building chain of trust/;
      const [, above] = failed.exec(reasons.unbound) ?? [];
      return (
        areAll({ unbound, validating }, "bogus") &&
        areAll(others, "insecure") &&
        above !== undefined &&
        name.endsWith(`.${above}`) &&
        !world.zones.some((zone) => zone.name === above)
      );
    },
  },
  {
    reason:
      "we want the record that RFC 5155 §8.5 asks for, of an empty name that opt-out left out",
    fits: ({ said: { direct, resolver, validating, unbound }, reasons }) =>
      areAll({ direct, resolver, validating }, "bogus") &&
      areAll({ unbound }, "insecure") &&
      reasons.direct === "bogus no_answer" &&
      /NSEC3 1 1 .*ncache nxrrset$/.test(reasons.delv),
  },
  {
    reason: "the SOA record beside a proof of absence is bogus: we do not use it (RFC 4035 §5.4)",
    fits: ({ said: { direct, resolver, ...others }, reasons }) =>
      areAll({ direct, resolver }, "secure") &&
      areAll(others, "bogus") &&
      reasons.direct === "secure, absent" &&
      / SOA IN>$/.test(reasons.unbound),
  },
];

function areAll(said: Partial<Said>, word: Word): boolean {
  return Object.values(said).every((one) => one === word);
}

const seen = { worlds: 0, zones: 0, questions: 0 };
const counts = new Map<string, number>();
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

const folder = temporaryFolder("test");
validatorTests("unbound, delv and we", () => {
  signerTests("about zones that BIND and ldns signed", () => {
    afterAll(() => {
      const lines = [...counts]
        .toSorted()
        .map(([what, times]) => `${`${times}`.padStart(6)}  ${what}`);
      process.stdout.write(`\n${JSON.stringify(seen)}\n${lines.join("\n")}\n`);
    });

    const worlds = fc.sample(foreignWorlds, { numRuns: WORLDS, seed });
    test.each(worlds.map((world, index) => [index, world] as const))(
      "agree on random zones: %i",
      async (_, world) => {
        const cases = await judgedCases(world);
        seen.worlds++;
        seen.zones += world.zones.length + 2;
        seen.questions += cases.length;
        const unexplained = cases.filter((one) => {
          const words = new Set(Object.values(one.said));
          if (words.size === 1) {
            count(`all say ${one.said.unbound}`);
            return false;
          }
          const known = knownDisagreements.find(({ fits }) => fits(one));
          const all = Object.entries(one.said).map(([who, word]) => `${who} ${word}`);
          count(`${all.join(", ")}: ${known?.reason ?? "UNEXPLAINED"}`);
          return !known;
        });
        const told = unexplained.map(({ name, said, reasons }) => ({ name, said, reasons }));
        expect(told, JSON.stringify(world)).toEqual([]);
      },
    );
  });
}, ["delv", "unbound", "nsd"]);

async function judgedCases(world: ForeignWorld): Promise<Case[]> {
  const opened = async <T extends { close(): Promise<void> }>(started: Promise<T>) => {
    const one = await started;
    onTestFinished(() => one.close());
    return one;
  };
  const { zones, trustAnchors } = await signForeignWorld(world, folder.path);
  const server = await opened(startZoneServer(zones));
  const resolver = await opened(startResolver(server.port));
  const unbound = await opened(startUnbound({ port: server.port, trustAnchors }));
  const delv = await opened(startDelv({ port: resolver.port, trustAnchors }));
  const ours = [server, resolver, unbound].map(({ port }) => ourValidator(port, trustAnchors));
  const cases: Case[] = [];
  for (const name of world.asked) {
    const question = { name, type: TXT };
    const [theirs, we] = await Promise.all([
      Promise.all([unbound.judge(question), delv.judge(question)]),
      Promise.all(ours.map((validator) => ourResult(validator, name))),
    ]);
    expectSameRecords(we, theirs[0], name);
    const words = [...we.map(ourWord), ...theirs.map(theirWord)];
    const texts = [...we.map(verdictOf), ...theirs.map(({ reason }) => reason)];
    const hasAlias = theirs[0].records?.some(({ type }) => type === CNAME) ?? false;
    cases.push({ world, name, hasAlias, said: byJudge(words), reasons: byJudge(texts) });
  }
  return cases;
}

function byJudge<T>(values: readonly T[]): Readonly<Record<Who, T>> {
  return Object.fromEntries(judges.map((who, index) => [who, values[index]])) as Record<Who, T>;
}

function ourValidator(port: number, anchors: readonly string[]) {
  const { query } = createResolver({ servers: [serverAt(`127.0.0.1:${port}`)] });
  const now = () => Math.floor(Date.now() / 1000);
  return createValidator({
    query,
    clock: clockFrom(() => now() * 1000),
    trustAnchors: anchors.map(parseTrustAnchor),
  });
}

/** A busy machine may be too slow for the time that a look has. */
async function ourResult(validator: Validator, name: string): Promise<Validated> {
  for (let turn = 1; ; turn++) {
    const result = await validator.validate(name, TXT);
    const isLate = result.security === "indeterminate" && result.reason === "timeout";
    if (!isLate || turn === lateTurns) return result;
  }
}

function ourWord({ security }: Validated): Word {
  return security === "indeterminate" ? "bogus" : security;
}

function theirWord({ verdict }: { verdict: Verdict }): Word {
  return verdict === "failed" ? "bogus" : verdict;
}

/** All validators that accept an answer accept the same records. */
function expectSameRecords(we: readonly Validated[], unbound: Judgement | undefined, name: string) {
  if (!unbound?.records) return;
  const texts = (rdatas: readonly Uint8Array[]) =>
    rdatas.map((rdata) => Buffer.from(rdata).toString("latin1")).sort();
  const theirs = texts(unbound.records.flatMap(({ type, rdata }) => (type === TXT ? [rdata] : [])));
  for (const one of we) {
    if ("reason" in one) continue;
    expect(texts(one.answer?.rdatas ?? []), name).toEqual(theirs);
  }
}

// Tests of what a record must be worth to decide, and of what is believed of a domain that was signed.

import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { ASSURANCES, type Assurance } from "./assurance.ts";
import type { AssuredTxt } from "./assured-txt.ts";
import type { SignedBefore } from "./signed-before.ts";
import { createSpRecords, failureOf, type SpRecords } from "./sp-record.ts";

const issuer = "https://auth.example.com";
const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
const own = `v=dsi1; sp=${issuer}; acct=${acct}`;
const external = own.replace("auth.", "other.");
const chal = "c".repeat(22);
const answer = `v=dsi1; sp=${issuer}; chal=${chal}`;
const proof = { chain: Uint8Array.of(1), notBefore: 1, notAfter: 2 };

/** What DNS says, and how much that is worth. */
let seen: AssuredTxt | "nothing";
/** What was asked of the memory of signed domains, and what it answers. */
let noted: string[];
let mayBeUnsigned: () => Promise<boolean>;
let spRecordsFor: (least: Assurance) => SpRecords;

let provenUnsigned = false;

beforeEach(() => {
  provenUnsigned = false;
  noted = [];
  mayBeUnsigned = async () => true;
  const signedBefore: SignedBefore = {
    async note(domain) {
      noted.push(domain);
    },
    mayBeUnsigned: () => mayBeUnsigned(),
  };
  spRecordsFor = (least) =>
    createSpRecords({
      lookAt: async () => (seen === "nothing" ? new Promise<never>(() => {}) : seen),
      ...{
        least,
        signedOnly: least === "secure",
        isUnsigned: async () => provenUnsigned,
        signedBefore,
        issuer,
        now: () => 1000,
        allowLoopbackIssuer: false,
      },
    });
});
afterEach(() => {
  vi.useRealTimers();
});

function values(assurance: Assurance, ...said: string[]): AssuredTxt {
  const txt = { outcome: "values", values: said, ttl: 300, answers: [] } as const;
  const isSecure = assurance === "secure";
  return { txt, assurance, resolvers: 2, proof: isSecure ? proof : null, isAliasSigned: false };
}

/** The levels, each with what becomes of a record of that worth where `least` is wanted. */
const table = ASSURANCES.flatMap((least, wanted) =>
  ASSURANCES.map((assurance, worth) => {
    const tooLittle = least === "secure" ? "not_permitted unsigned" : "unavailable unconfirmed";
    return { least, assurance, tooLittle: worth < wanted ? tooLittle : null };
  }),
);

function inWords(look: { outcome: string; reason?: string }): string {
  return [look.outcome, look.reason].filter(Boolean).join(" ");
}

describe("a look to decide", () => {
  test.each(table)("where $least is wanted, $assurance is there: $tooLittle", async (row) => {
    const { least, assurance, tooLittle } = row;
    for (const [record, outcome] of [
      [own, "own"],
      [external, "external"],
    ] as const) {
      seen = values(assurance, record);
      const look = await spRecordsFor(least).lookToDecide("alice.test", "now");
      expect(inWords(look)).toBe(tooLittle ?? outcome);
      expect(look).toMatchObject({ assurance, resolvers: 2, records: [{ value: record }] });
      expect(look.proof).toEqual(assurance === "secure" ? proof : null);
      // Nobody can take an account from what did not suffice.
      if (tooLittle) expect(look).not.toHaveProperty("acct");
    }
  });

  it.each([
    [[], "absent"],
    [["v=dsi1; sp=none"], "disabled"],
    [["v=dsi1; sp=what"], "invalid"],
    [[own, external], "ambiguous"],
    [["v=dsi2"], "unsupported"],
  ])("tells %j as %s, whatever it is worth: nobody gets in by it", async (said, outcome) => {
    seen = values("single", ...said);
    for (const least of ASSURANCES) {
      expect((await spRecordsFor(least).lookToDecide("alice.test", "now")).outcome).toBe(outcome);
    }
  });

  it("takes no more from what is remembered than it was worth", async () => {
    seen = values("single", own);
    const spRecords = spRecordsFor("corroborated");
    expect((await spRecords.look("alice.test", "cached")).outcome).toBe("own");
    const decided = await spRecords.lookToDecide("alice.test", "cached");
    expect(inWords(decided)).toBe("unavailable unconfirmed");
    expect(failureOf(decided)).toBe("unconfirmed");
  });

  it("is over for a domain without a record that is known to be unsigned, where it would be in vain", async () => {
    seen = values("corroborated");
    const outcome = async (least: Assurance) =>
      inWords(await spRecordsFor(least).lookToDecide("alice.test", "now"));
    expect(await outcome("secure")).toBe("absent");
    provenUnsigned = true;
    expect(await outcome("secure")).toBe("not_permitted unsigned");
    expect(await outcome("corroborated")).toBe("absent");
  });

  it("tells resolvers that do not agree apart from those that fail", async () => {
    for (const [reason, failure] of [
      ["disagreement", "unconfirmed"],
      ["timeout", "unavailable"],
    ] as const) {
      const txt = { outcome: "unavailable", reason } as const;
      seen = { txt, assurance: "single", resolvers: 1, proof: null, isAliasSigned: false };
      const spRecords = spRecordsFor("corroborated");
      expect(failureOf(await spRecords.lookToDecide("alice.test", "now"))).toBe(failure);
      expect(failureOf(await spRecords.lookForChallenge("alice.test", chal))).toBe(failure);
    }
  });
});

describe("a look for the answer to a challenge", () => {
  test.each(table)("where $least is wanted, $assurance is there: $tooLittle", async (row) => {
    const { least, assurance, tooLittle } = row;
    seen = values(assurance, "something else", answer);
    const look = await spRecordsFor(least).lookForChallenge("alice.test", chal);
    expect(inWords(look)).toBe(tooLittle ?? "seen");
  });

  it("shows what is there instead, whatever it is worth", async () => {
    seen = values("single", "something else");
    const look = await spRecordsFor("secure").lookForChallenge("alice.test", chal);
    expect(look).toMatchObject({ outcome: "not_seen", records: [{ value: "something else" }] });
  });
});

describe("a domain that was signed until recently", () => {
  beforeEach(() => {
    mayBeUnsigned = async () => false;
  });

  const looks: [string, (spRecords: SpRecords) => Promise<{ outcome: string }>][] = [
    ["a look", (spRecords) => spRecords.look("alice.test", "now")],
    ["a look to decide", (spRecords) => spRecords.lookToDecide("alice.test", "now")],
    ["a challenge", (spRecords) => spRecords.lookForChallenge("alice.test", chal)],
  ];

  it.each(looks)("is bogus to %s without signatures, however many say it", async (_, look) => {
    for (const assurance of ["single", "corroborated"] as const) {
      seen = values(assurance, own);
      for (const least of ASSURANCES) {
        expect((await look(spRecordsFor(least))).outcome).toBe("bogus");
      }
    }
    expect(noted).toEqual([]);
  });

  it.each(looks)("is noted, and believed, by %s with signatures", async (_, look) => {
    seen = values("secure", own, answer);
    expect((await look(spRecordsFor("single"))).outcome).not.toBe("bogus");
    expect(noted).toEqual(["alice.test"]);
  });

  it("may have nothing at the name, or an alias that leads away: that lets nobody in", async () => {
    seen = values("corroborated");
    expect((await spRecordsFor("single").look("alice.test", "now")).outcome).toBe("absent");
    const txt = { outcome: "alias_invalid", target: "web.test", ttl: 60 } as const;
    seen = { txt, assurance: "corroborated", resolvers: 2, proof: null, isAliasSigned: false };
    expect((await spRecordsFor("single").look("alice.test", "now")).outcome).toBe("alias_invalid");
  });

  it("may be an alias that the domain has signed: where that leads to never was its own", async () => {
    const spRecords = spRecordsFor("corroborated");
    seen = { ...values("corroborated", own), isAliasSigned: true };
    expect((await spRecords.lookToDecide("alice.test", "now")).outcome).toBe("own");
    seen = { ...values("corroborated", answer), isAliasSigned: true };
    expect((await spRecords.lookForChallenge("alice.test", chal)).outcome).toBe("seen");
  });

  it("is bogus once, and believed as soon as it may be unsigned: a failure is not remembered", async () => {
    seen = values("corroborated", own);
    const spRecords = spRecordsFor("corroborated");
    expect((await spRecords.look("alice.test", "cached")).outcome).toBe("bogus");
    mayBeUnsigned = async () => true;
    expect((await spRecords.look("alice.test", "cached")).outcome).toBe("own");
  });
});

describe("nobody waits longer than 2.5 seconds", () => {
  test.each<[string, () => void]>([
    [
      "the look",
      () => {
        seen = "nothing";
      },
    ],
    [
      "the question whether it was signed",
      () => {
        seen = values("corroborated", own);
        mayBeUnsigned = () => new Promise<never>(() => {});
      },
    ],
  ])("for %s", async (_, arrange) => {
    arrange();
    vi.useFakeTimers();
    const told = spRecordsFor("single").look("alice.test", "now");
    await vi.advanceTimersByTimeAsync(2500);
    expect(inWords(await told)).toBe("unavailable timeout");
  });
});

// Tests of which servers are asked for a new record, also when the limits of questions to name servers are reached.

import { expect, test, vi } from "vitest";
import { LOOK_NOW, turns } from "../../test/support/looks-for.ts";
import { clockFrom } from "../lib/clock.ts";
import { BusyError } from "../lib/errors.ts";
import { createDiagnoses } from "./diagnosis.ts";
import { NOTHING_REMEMBERED } from "./looks.ts";
import { createNewRecords } from "./new-records.ts";
import { NO_EVIDENCE, type ServerEvidence } from "./server-answer.ts";
import { isProvenSecure } from "./signed-before.ts";
import { createSpRecords } from "./sp-record.ts";

const issuer = "https://auth.example.com";
const clock = clockFrom(() => 1_000_000_000);

function newRecordsWith(evidence: ServerEvidence | "busy", acctOfAccount = "") {
  const asked: string[] = [];
  const spRecords = createSpRecords({
    lookUp: async ({ label }) => {
      asked.push(label);
      return { outcome: "indeterminate", reason: "timeout" };
    },
    ...{ minAssurance: "corroborated", rememberedOf: async () => NOTHING_REMEMBERED },
    ...{ issuer, clock, turns },
  });
  const zoneLook = async () => {
    asked.push("zone");
    if (evidence === "busy") throw new BusyError();
    return evidence;
  };
  const ofDiagnoses = { zones: turns, resolvers: turns };
  const diagnoses = createDiagnoses({ resolvers: [], zoneLook, clock, turns: ofDiagnoses });
  const isUnacceptable = async () => false;
  const isAccount: Parameters<typeof createNewRecords>[0]["isAccount"] = async (_, named) =>
    named.acct === acctOfAccount;
  const isProvenSecure = async (zone: string) => {
    asked.push(`DS of ${zone}`);
    return zone === "alice.test";
  };
  const of = { spRecords, diagnoses, isUnacceptable, isProvenSecure, isAccount };
  return { asked, newRecords: createNewRecords(of) };
}

test("the resolvers are asked if there is no turn for name servers, and the next page asks these again", async () => {
  const { asked, newRecords } = newRecordsWith("busy");
  for (const times of [1, 2]) {
    const look = await newRecords.lookForRecord("alice.test", { sp: null }, LOOK_NOW);
    expect(look).toMatchObject({ outcome: "indeterminate", reason: "timeout" });
    expect(asked).toEqual(Array(times).fill(["zone", "_domain-signin"]).flat());
  }
  asked.length = 0;
  const challenge = { chal: "c".repeat(22), value: "" };
  await newRecords.lookForChallenge("alice.test", challenge, LOOK_NOW);
  expect(asked).toEqual(["zone", "_domain-signin-challenge"]);
});

test("resolvers are asked if the name servers were asked and did not answer", async () => {
  const { asked, newRecords } = newRecordsWith({ ...NO_EVIDENCE, apex: "alice.test" });
  const look = await newRecords.lookForRecord("alice.test", { sp: null }, LOOK_NOW);
  expect(look).toMatchObject({ outcome: "indeterminate", reason: "timeout" });
  expect(asked).toEqual(["zone", "_domain-signin"]);
});

/** Of two name servers, only the second has a record. */
function halfPublished(acct: string) {
  const answer = (name: string, values: readonly string[]) => ({
    ...{ who: { kind: "name_server", name, address: name } as const, outcome: "answered" as const },
    ...{ values, ttl: 300 },
  });
  const record = `v=dsi1 sp=${issuer} acct=${acct}`;
  const answers = [answer("192.0.2.1", []), answer("192.0.2.2", [record])];
  return { ...NO_EVIDENCE, apex: "alice.test", answers };
}

test("for a stranger, a record that only some name servers have is looked up, whether it names an account or not", async () => {
  const acct = "a".repeat(22);
  for (const ofAccount of ["", acct]) {
    const { asked, newRecords } = newRecordsWith(halfPublished(acct), ofAccount);
    await newRecords.lookForStranger("alice.test", LOOK_NOW);
    expect(asked).toEqual(["zone", "_domain-signin"]);
  }
});

test("for a stranger, no resolver is asked for a record that no name server has", async () => {
  const { answers, ...zone } = halfPublished("a".repeat(22));
  const { asked, newRecords } = newRecordsWith({ ...zone, answers: answers.slice(0, 1) });
  const look = await newRecords.lookForStranger("alice.test", LOOK_NOW);
  expect([look.outcome, asked]).toEqual(["absent", ["zone"]]);
});

test("a record that only some name servers have is looked up if it names an account, and only then", async () => {
  const acct = "a".repeat(22);
  for (const [ofAccount, label] of [
    ["", []],
    [acct, ["_domain-signin"]],
  ] as const) {
    const { asked, newRecords } = newRecordsWith(halfPublished(acct), ofAccount);
    await newRecords.lookForRecord("alice.test", { sp: null }, LOOK_NOW);
    expect(asked).toEqual(["zone", ...label]);
  }
});

test.each([
  ["alice.test", "alice.test", true],
  ["ann.alice.test", "alice.test", true],
  ["bob.test", "bob.test", false],
])(
  "whether the zone of %s is signed is asked at its apex: a question for a name below would be remembered",
  async (domain, apex, isSigned) => {
    const who = { kind: "name_server", name: "ns", address: "192.0.2.1" } as const;
    const answers = [{ who, outcome: "answered", values: [], ttl: 300 } as const];
    const { asked, newRecords } = newRecordsWith({ ...NO_EVIDENCE, apex, answers });
    expect(await newRecords.isSigned(domain, LOOK_NOW.from)).toBe(isSigned);
    expect(asked).toEqual(["zone", `DS of ${apex}`]);
  },
);

test("a zone whose name servers do not answer is signed if the look says so", async () => {
  const { asked, newRecords } = newRecordsWith({ ...NO_EVIDENCE, apex: "alice.test" });
  expect(await newRecords.isSigned("alice.test", LOOK_NOW.from)).toBe(false);
  expect(asked).toEqual(["zone", "_domain-signin"]);
});

test("a proof that comes late on a slow machine counts, so that a set-up shows the keys of a signed zone", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
  const proven = async (afterMs: number) => {
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), afterMs));
    const proof = isProvenSecure("alice.test", [{ isInsecure: () => late }]);
    await vi.advanceTimersByTimeAsync(afterMs + 100);
    return proof;
  };
  expect(await proven(1500)).toBe(true);
  // Whoever begins the set-up waits no longer than this.
  expect(await proven(2500)).toBe(false);
  vi.useRealTimers();
});

// The matrix of looks: every combination of answers and their order, judged by a model. A sample here, all in the slow project.

import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { SEED, tries } from "../../../verify/test/support/random-seed.ts";
import { type Before, type Expected, expectedOf } from "../../test/support/look-model.ts";
import {
  AGES,
  type Answered,
  createLookWorld,
  ISSUER,
  KINDS,
  type Kind,
  NOW,
  SITUATIONS,
} from "../../test/support/look-world.ts";
import { LOOK_NOW, turns } from "../../test/support/looks-for.ts";
import { type Lie, servfail } from "../../test/support/lying-resolvers.ts";
import { clockFrom } from "../lib/clock.ts";
import type { AcceptedRecord } from "../store/remembered.ts";
import { createAssuredLook, type LookSource } from "./assured-look.ts";
import { NOTHING_REMEMBERED } from "./looks.ts";
import { createSpRecords, failureOf, type SpRecordLook } from "./sp-record.ts";

/** A domain, how each kind of resolver answers, and what the last look accepted. */
interface Setting {
  readonly title: string;
  readonly domain: string;
  readonly isSigned: boolean;
  readonly answers: ReadonlyMap<Kind, Answered>;
  readonly accepted: (Before & AcceptedRecord) | null;
}

interface Case {
  readonly setting: Setting;
  readonly kinds: readonly Kind[];
  /** For each resolver, when it answers: first, second or third. */
  readonly order: readonly number[];
}

const ORDERS = ["012", "021", "102", "120", "201", "210"].map((text) => [...text].map(Number));
const TXT = 16;
/** In the slow project, each fourteenth look of the matrix with LOOK_STRIDE=14, and all without it. */
const STRIDE = Number(process.env.LOOK_STRIDE ?? 1);
/** So many looks run beside each other. */
const BATCH = 2000;
/** Between two answers; and after what time a slow one comes: another source is asked before. */
const STEP_MS = 10;
const SLOW_MS = 900;

let settings: Setting[];
beforeAll(async () => {
  settings = await allSettings();
});
afterEach(() => vi.unstubAllGlobals());

it("every look has the outcome that the model of the rules expects", async () => {
  await agrees(KINDS, tries({ sample: 997, full: STRIDE }));
  // A million looks take minutes.
}, 3_600_000);

it("so has every look at what matters most", async () => {
  const kinds = ["right", "replayed", "bogus", "downgraded", "slow"] as const;
  await agrees(kinds, tries({ sample: 13, full: 1 }));
});

it.each(["alice.test", "carol.test"])(
  "no extended error is an answer, nor a veto: %s",
  async (domain) => {
    const { viewOf } = createLookWorld(domain);
    const setting = settings.find((one) => one.domain === domain);
    if (setting === undefined) throw new Error("no setting");
    const right = answerOf(setting, "right");
    const time = virtualTime();
    const lookAt = async (...answers: readonly Answered[]) => {
      const sources = answers.map(sourceOf);
      const look = lookThrough(sources, setting, []);
      await time.pass();
      return (await look).outcome;
    };
    // Those of RFC 8914 and of its registry, and some that nobody knows yet.
    for (const code of [...Array(31).keys(), 1000, 65_535]) {
      // The delegations are answered well: of an unsigned domain, an empty answer would be believed.
      const fails: Lie = (query, answer) =>
        query.questions[0]?.type === TXT ? servfail(code)(query, answer) : answer;
      const view = await viewOf({ value: null, time: NOW }, fails);
      const failed: Answered = { view, heard: "nothing", isSlow: false };
      expect(await lookAt(failed, right, right)).toBe("own");
      expect(await lookAt(right, failed, right)).toBe("own");
      expect(await lookAt(right, failed, failed)).toBe("indeterminate");
      expect(["bogus", "indeterminate"]).toContain(await lookAt(failed, failed, failed));
    }
  },
);

/** Each case whose number is a multiple of `step`, beginning with one that depends on the seed. */
async function agrees(kinds: readonly Kind[], step: number): Promise<void> {
  const time = virtualTime();
  const disagreements: string[] = [];
  const total = settings.length * kinds.length ** 3 * ORDERS.length;
  let cases = 0;
  for (let from = SEED % step; from < total; from += BATCH * step) {
    const indexes = Array.from({ length: BATCH }, (_, count) => from + count * step);
    const inTotal = indexes.filter((index) => index < total);
    const batch = inTotal.map((index) => judge(caseAt(index, kinds)));
    await time.pass();
    for (const wrong of await Promise.all(batch)) if (wrong !== null) disagreements.push(wrong);
    cases += batch.length;
  }
  console.log(`looks: ${cases} of ${total} cases, ${disagreements.length} disagreements`);
  expect(cases).toBe(Math.ceil((total - (SEED % step)) / step));
  expect(disagreements.slice(0, 20)).toEqual([]);
}

function caseAt(index: number, of: readonly Kind[]): Case {
  let rest = index;
  const pick = <T>(items: readonly T[]): T => {
    const item = items[rest % items.length];
    rest = Math.floor(rest / items.length);
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const order = pick<readonly number[]>(ORDERS);
  const kinds = [pick(of), pick(of), pick(of)];
  return { order, kinds, setting: pick(settings) };
}

/** What is wrong with the outcome of the look, the label of its metric or the event; null if nothing is. */
async function judge({ setting, kinds, order }: Case): Promise<string | null> {
  const answers = kinds.map((kind) => answerOf(setting, kind));
  const sources = answers.map((answer, index) => sourceOf(answer, order[index] ?? 0));
  const events: string[] = [];
  const look = await lookThrough(sources, setting, events);
  const [first = "nothing", second = "nothing", third = "nothing"] = answers.map(
    ({ heard }) => heard,
  );
  const expected = inWords(expectedOf([first, second, third], setting.accepted), setting);
  const found = `${describe(look)}; ${events.join()}`;
  if (found === expected) return null;
  return `${setting.title}, ${kinds.join(" + ")}, order ${order}: ${found}, but expected ${expected}`;
}

function lookThrough(
  sources: readonly LookSource[],
  { domain, isSigned, accepted }: Setting,
  events: string[],
): Promise<SpRecordLook> {
  const lookUp = createAssuredLook({
    sources,
    minAssurance: "corroborated",
    // A signed zone was seen signed before.
    signedBefore: {
      note: async () => {},
      mayBeInsecure: async () => !isSigned,
      secondLookAt: async () => null,
    },
    events: {
      lookedUp: ({ outcome }) => void events.unshift(outcome),
      bogus: () => void events.push("bogus event"),
      unavailable: () => {},
    },
  });
  const records = createSpRecords({
    turns,
    ...{ lookUp, minAssurance: "corroborated", issuer: ISSUER },
    rememberedOf: async () => ({ ...NOTHING_REMEMBERED, accepted }),
    clock: clockFrom(() => NOW * 1000),
  });
  return records.lookToDecide(domain, LOOK_NOW);
}

function sourceOf({ view, isSlow }: Answered, rank: number): LookSource {
  const delay = (isSlow ? SLOW_MS : 0) + (rank + 1) * STEP_MS;
  return () =>
    new Promise((resolve) => {
      if (view !== null) setTimeout(resolve, delay, view);
    });
}

function describe(look: SpRecordLook): string {
  const failure = failureOf(look);
  if (look.outcome === "bogus") return "bogus";
  if (failure !== null) return failure === "contradictory" ? failure : "indeterminate";
  const proof = look.inception === null ? look.assurance : `${look.assurance} with inception`;
  if (look.outcome === "own") return `own ${look.acct}, ${proof}`;
  return `${look.outcome}${look.outcome === "external" ? ` ${look.sp}` : ""}, ${proof}`;
}

/** With the label of the metric, and the event of a bogus answer. */
function inWords(expected: Expected, { isSigned }: Setting): string {
  if (typeof expected !== "string") {
    const { says, isProven } = expected;
    if (isProven) return `${says}, secure with inception; values`;
    return isSigned ? "bogus; bogus,bogus event" : `${says}, corroborated; values`;
  }
  return expected === "bogus" ? "bogus; bogus,bogus event" : `${expected}; unavailable`;
}

function answerOf({ answers }: Setting, kind: Kind): Answered {
  const answer = answers.get(kind);
  if (answer === undefined) throw new Error(`nobody answers ${kind}`);
  return answer;
}

/** Each situation with each age of the signatures, and with each answer that may have been accepted. */
async function allSettings(): Promise<Setting[]> {
  const made: Setting[] = [];
  for (const world of [createLookWorld("alice.test"), createLookWorld("carol.test")]) {
    const { domain, isSigned } = world;
    const ages = Object.entries(AGES).filter(([age]) => isSigned || age === "newer");
    for (const [situation, contents] of Object.entries(SITUATIONS)) {
      for (const [age, times] of ages) {
        const answers = new Map<Kind, Answered>();
        for (const kind of KINDS) answers.set(kind, await world.answered(kind, contents, times));
        const title = `${domain}, ${situation}, ${age} signatures`;
        const setting = { title, domain, isSigned, answers };
        made.push({ ...setting, accepted: null });
        if (!isSigned) continue;
        for (const kind of ["replayed", "right"] as const) {
          const accepted = await acceptedFrom(setting, kind);
          const accepts = `${title}, accepted the ${kind} one`;
          made.push({ ...setting, title: accepts, accepted });
          // The same data with a newer signature.
          const signedLater = { ...accepted, inception: NOW };
          made.push({ ...setting, title: `${accepts}, signed later`, accepted: signedLater });
        }
      }
    }
  }
  return made;
}

/** What a look accepts if all resolvers answer so, in the terms of the code and of the model. */
async function acceptedFrom(setting: Omit<Setting, "accepted">, kind: Kind) {
  const { view, heard } = setting.answers.get(kind) ?? {};
  if (view?.security !== "secure" || typeof heard !== "object" || heard.inception === null) {
    throw new Error(`${setting.title}: what is ${kind} is not secure`);
  }
  let key = "";
  const lookUp = createAssuredLook({
    ...{ sources: [async () => view], minAssurance: "single", signedBefore: null },
  });
  const records = createSpRecords({
    turns,
    lookUp: async (question) => {
      const looked = await lookUp(question, () => {});
      if (looked.outcome === "agreed") key = looked.answers[0].key;
      return looked;
    },
    ...{ minAssurance: "single", issuer: ISSUER },
    rememberedOf: async () => NOTHING_REMEMBERED,
    clock: clockFrom(() => NOW * 1000),
  });
  const { inception } = await records.look(setting.domain, LOOK_NOW);
  expect(inception).toBe(heard.inception);
  return { key, says: heard.says, inception: heard.inception };
}

/** Replaces the timers: time passes from one to the next, as soon as nothing else is left to do. */
function virtualTime(): { pass(): Promise<void> } {
  interface Timer {
    readonly at: number;
    readonly run: () => void;
  }
  let now = 0;
  const due = new Map<number, Set<Timer>>();
  vi.stubGlobal("setTimeout", (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const timer = { at: now + ms, run: () => run(...args) };
    const others = due.get(timer.at);
    if (others) others.add(timer);
    else due.set(timer.at, new Set([timer]));
    return timer;
  });
  vi.stubGlobal("clearTimeout", (timer: Timer | undefined) => {
    if (timer) due.get(timer.at)?.delete(timer);
  });
  const isIdle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    async pass() {
      for (await isIdle(); due.size > 0; await isIdle()) {
        now = Math.min(...due.keys());
        const timers = due.get(now) ?? [];
        due.delete(now);
        for (const { run } of timers) run();
      }
    },
  };
}

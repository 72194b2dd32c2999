// The account walk in virtual time: the real walk, control and store, and DNS that answers, or does not, at a given second.

import { walkAccounts } from "../../src/account/account-walk.ts";
import { createControl } from "../../src/account/control.ts";
import type { SqlEngine } from "../../src/database/engine.ts";
import { migrate } from "../../src/database/migrations.ts";
import { openSqlite } from "../../src/database/sqlite.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { createStore } from "../../src/store/store.ts";
import { jsonEvents } from "../../src/telemetry/events.ts";
import { ownRecord, someLook } from "./some-look.ts";

const DAY = 86_400;
const SIX_DAYS = 6 * DAY;
const WEEK = 7 * DAY;
const START = 1_800_000_000;
/** How long a look takes: of a zone that answers, and of one that does not. */
const ANSWER_MS = 50;
const SILENCE_MS = 2000;
/** When a look asks, in milliseconds after its beginning: two of three resolvers, and all twice if none answers. */
const QUESTIONS = {
  insecure: [0, 0, 10, 10],
  secure: [0, 0, 10, 10, 10, 10],
  silent: [0, 0, 400, 1000, 1000, 1400],
} as const;

export interface WalkScenario {
  readonly accounts: number;
  readonly days: number;
  /** How many zones of a hundred do not answer from the beginning, and how many are signed. */
  readonly silentPercent: number;
  readonly signedPercent: number;
  /** The day on which the zones that do not answer do so again. Default: never. */
  readonly recoveryDay?: number;
  /** Whether all accounts are due at the beginning, as after a restore. Otherwise they are spread over six days. */
  readonly allDue?: boolean;
  /** The time between two walks. */
  readonly walkEveryMs: number;
  /** How many milliseconds the machine takes for a statement, and how late each timer is. Default: 0. */
  readonly statementMs?: number;
  readonly timerLateMs?: number;
}

export type WalkFigures = Awaited<ReturnType<typeof simulateWalk>>;

/** Virtual time in milliseconds. It moves when nothing else happens. */
function createVirtualTime() {
  let now = 0;
  let busy = 0;
  const heap: { readonly at: number; readonly resolve: () => void }[] = [];
  const at = (index: number) => heap[index]?.at ?? Number.POSITIVE_INFINITY;
  const swap = (one: number, other: number) => {
    const [a, b] = [heap[one], heap[other]];
    if (a && b) [heap[one], heap[other]] = [b, a];
  };

  function push(entry: (typeof heap)[number]): void {
    heap.push(entry);
    for (let index = heap.length - 1; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (at(parent) <= at(index)) return;
      swap(parent, index);
      index = parent;
    }
  }

  function pop(): (typeof heap)[number] | undefined {
    swap(0, heap.length - 1);
    const first = heap.pop();
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      const least = at(right) < at(left) ? right : left;
      if (at(least) >= at(index)) return first;
      swap(least, index);
      index = least;
    }
  }

  return {
    now: () => now,
    sleep: (milliseconds: number) =>
      new Promise<void>((resolve) => push({ at: now + Math.max(0, milliseconds), resolve })),
    /** The time waits for this. */
    async during<T>(task: () => Promise<T>): Promise<T> {
      busy++;
      try {
        return await task();
      } finally {
        busy--;
      }
    },
    async runUntil(end: number): Promise<void> {
      for (;;) {
        do await new Promise(setImmediate);
        while (busy > 0);
        if (at(0) > end) return;
        now = Math.max(now, at(0));
        while (at(0) <= now) pop()?.resolve();
      }
    },
  };
}

/** `onDay` gets the figures after each day. */
export async function simulateWalk(
  scenario: WalkScenario,
  onDay: (day: number, figures: object) => void = () => {},
) {
  const { accounts, days, statementMs = 0, timerLateMs = 0 } = scenario;
  const time = createVirtualTime();
  const engine = openSqlite(":memory:");
  await migrate(engine);
  await fill(engine, scenario);
  const store = createStore({
    ...engine,
    async execute(...call) {
      if (statementMs > 0) await time.sleep(statementMs);
      return time.during(() => engine.execute(...call));
    },
  });
  const figures = createFigures(scenario);
  const clock = clockFrom(() => START * 1000 + time.now(), time.now);
  const events = jsonEvents({ write() {} });
  const isSilent = isSilentIn(scenario);
  const spRecords = {
    async look(domain: string) {
      const index = Number(domain.slice(1, domain.indexOf(".")));
      const checkedAt = clock.seconds();
      const silent = isSilent(index, time.now());
      figures.look(index, time.now(), silent);
      await time.sleep(silent ? SILENCE_MS : ANSWER_MS);
      return silent
        ? someLook({ outcome: "indeterminate", reason: "timeout" }, { checkedAt })
        : someLook(ownRecord(acctOf(index)), { checkedAt });
    },
  };
  const parts = { ...store, clock, events, mayEnd: () => true };
  const control = createControl({ ...parts, spRecords, minAssurance: "corroborated" });
  let isOver = false;
  const pause = async (milliseconds: number) => {
    await time.sleep(milliseconds + timerLateMs);
    if (isOver) throw new Error("the simulation is over");
  };
  const walks = (async () => {
    for (;;) {
      await walkAccounts({ ...parts, control }, pause);
      await pause(scenario.walkEveryMs);
    }
  })().catch(() => {});
  for (let day = 1; day <= days; day++) {
    await time.runUntil(day * DAY * 1000);
    onDay(day, figures.result(day * DAY));
  }
  isOver = true;
  await time.runUntil((days * DAY + WEEK) * 1000);
  await walks;
  const asleep = "SELECT count(*) AS count FROM accounts WHERE asleep_since IS NOT NULL";
  const [row] = await engine.execute(asleep, []);
  await engine.close();
  return { ...figures.result(days * DAY), accounts, asleep: Number(row?.count) };
}

/** 22 characters. */
const acctOf = (index: number) => String(index).padStart(22, "a");

/** Accounts with their last look spread evenly over six days, or due at the beginning. */
async function fill(engine: SqlEngine, { accounts, allDue = false }: WalkScenario): Promise<void> {
  const due = allDue ? "CAST(0 AS BIGINT)" : `${START} + n * ${SIX_DAYS} / ${accounts}`;
  const seen = `${START} - ${SIX_DAYS} + n * ${SIX_DAYS} / ${accounts}`;
  await engine.execute(
    `INSERT INTO accounts (id, domain, sp, acct, created_at, walked_at, walk_due_at)
     WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${accounts - 1})
     SELECT 'sub_' || n, 'n' || n || '.test', '', substr('aaaaaaaaaaaaaaaaaaaaaa' || n, -22),
       ${START - WEEK}, ${seen}, ${due} FROM numbers`,
    [],
    { waitMs: Number.POSITIVE_INFINITY },
  );
}

/** The zones are mixed: neighbours are not alike. */
const mixed = (index: number) => (Math.imul(index, 2_654_435_761) >>> 8) % 100;

function isSilentIn({ silentPercent, recoveryDay = Number.POSITIVE_INFINITY }: WalkScenario) {
  return (index: number, nowMs: number) =>
    mixed(index) < silentPercent && nowMs < recoveryDay * DAY * 1000;
}

/** Counts looks and questions, and keeps the longest and the shortest time between two looks at a record. */
function createFigures({ accounts, days, ...scenario }: WalkScenario) {
  const { silentPercent, signedPercent, recoveryDay = Number.POSITIVE_INFINITY } = scenario;
  const last = Float64Array.from({ length: accounts }, (_, index) =>
    scenario.allDue ? 0 : (-SIX_DAYS + Math.floor((index * SIX_DAYS) / accounts)) * 1000,
  );
  const isSeen = new Uint8Array(accounts);
  const silentSince = new Float64Array(accounts).fill(-1);
  const questions = new Uint16Array((days + 8) * DAY);
  const recovered = recoveryDay * DAY * 1000;
  const found = {
    looks: 0,
    seen: 0,
    allSeenMs: Number.POSITIVE_INFINITY,
    oldestLiveMs: 0,
    oldestSilentMs: 0,
    shortestSilentMs: Number.POSITIVE_INFINITY,
    recoverySeenMs: 0,
    unseenRecoveries: 0,
  };
  const isSilent = (index: number) => mixed(index) < silentPercent;

  return {
    look(index: number, now: number, silent: boolean): void {
      found.looks++;
      if (isSeen[index] === 0) found.seen++;
      if (isSeen[index] === 0 && found.seen === accounts) found.allSeenMs = now;
      isSeen[index] = 1;
      const since = now - (last[index] ?? 0);
      last[index] = now;
      const kind = silent ? "silent" : mixed(index + 7) < signedPercent ? "secure" : "insecure";
      for (const after of QUESTIONS[kind]) {
        const second = Math.floor((now + after) / 1000);
        questions[second] = (questions[second] ?? 0) + 1;
      }
      if (!isSilent(index)) found.oldestLiveMs = Math.max(found.oldestLiveMs, since);
      else if (silent) {
        found.oldestSilentMs = Math.max(found.oldestSilentMs, since);
        const first = silentSince[index] ?? -1;
        if (first < 0) silentSince[index] = now;
        else if (now - since >= first + WEEK * 1000)
          found.shortestSilentMs = Math.min(found.shortestSilentMs, since);
      } else if (silentSince[index] !== Number.POSITIVE_INFINITY) {
        silentSince[index] = Number.POSITIVE_INFINITY;
        found.recoverySeenMs = Math.max(found.recoverySeenMs, now - recovered);
      }
    },
    /** `end` in seconds. What was not looked at again until then counts too. */
    result(end: number) {
      for (let index = 0; index < accounts; index++) {
        const since = end * 1000 - (last[index] ?? 0);
        if (!isSilent(index)) found.oldestLiveMs = Math.max(found.oldestLiveMs, since);
        else if (end > recoveryDay * DAY && silentSince[index] !== Number.POSITIVE_INFINITY)
          found.unseenRecoveries++;
      }
      const seconds = questions.subarray(0, end);
      const sum = seconds.reduce((total, count) => total + count, 0);
      const of = (milliseconds: number, unit: number) => milliseconds / 1000 / unit;
      return {
        looks: found.looks,
        allSeenHours: of(found.allSeenMs, 3600),
        questions: sum,
        questionsPerSecond: sum / end,
        mostQuestionsInASecond: Math.max(0, ...maximaOf(seconds)),
        oldestLookDays: of(found.oldestLiveMs, DAY),
        longestSilentDays: of(found.oldestSilentMs, DAY),
        shortestSilentHours: of(found.shortestSilentMs, 3600),
        recoverySeenHours: of(found.recoverySeenMs, 3600),
        unseenRecoveries: found.unseenRecoveries,
      };
    },
  };
}

function* maximaOf(seconds: Uint16Array): Generator<number> {
  for (let from = 0; from < seconds.length; from += 10_000)
    yield Math.max(...seconds.subarray(from, from + 10_000));
}

// DNS on its worst days: whoever waits hears the cause within three seconds, and nobody gets in by it.

import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUserAgent } from "../../src/demo/user-agent.ts";
import { PLACES, type Place, type Stage, startStage, type Told } from "../support/bad-dns.ts";
import type { Misbehaviour } from "../support/hostile-dns.ts";
import { authorizationUrl } from "../support/sign-in.ts";

type Cause = "unavailable" | "bogus" | "alias" | "absent" | "ambiguous" | "invalid" | "none";

/** What the resolvers do, and the cause that has to be heard. */
const CASES: readonly (readonly [cause: Cause, ...resolvers: readonly Misbehaviour[]])[] = [
  ["unavailable", "is dead"],
  ["unavailable", "is silent"],
  ["unavailable", "is slow by 1.5 s"],
  ["unavailable", "drips over TCP"],
  ["unavailable", "cuts off and is dead over TCP"],
  ["unavailable", "cuts off and is silent over TCP"],
  ["unavailable", "cuts off over TCP too"],
  ["unavailable", "answers SERVFAIL"],
  ["unavailable", "answers REFUSED"],
  ["unavailable", "answers FORMERR"],
  ["unavailable", "answers NOTIMP"],
  ["unavailable", "answers another question"],
  ["unavailable", "answers with another id"],
  ["unavailable", "answers from another port"],
  ["unavailable", "sends the query back"],
  ["unavailable", "sends garbage"],
  ["unavailable", "sends an empty message"],
  ["unavailable", "sends a header alone"],
  ["unavailable", "promises 65,535 answers"],
  ["unavailable", "cuts RDATA short"],
  ["unavailable", "sends a name that points at itself"],
  ["unavailable", "sends a name that points in a circle"],
  ["unavailable", "has a slow chain of aliases"],
  ["unavailable", "answers NXDOMAIN with a record"],
  ["unavailable", "is silent", "is silent", "is silent"],
  ["bogus", "answers SERVFAIL for DNSSEC"],
  ["bogus", "answers SERVFAIL for DNSSEC", "is well", "is well"],
  ["absent", "has 64 KiB of text"],
  ["absent", "answers in another class"],
  ["invalid", "has 64 KiB in a record"],
  ["ambiguous", "has 1,000 records"],
  ["alias", "has an alias of itself"],
  ["alias", "has aliases of each other"],
  ["alias", "has a circle of nine aliases"],
  ["alias", "has an alias to a web host"],
  ["none", "is dead", "is well", "is well"],
  ["none", "is silent", "is well", "is well"],
  ["none", "answers SERVFAIL", "sends garbage", "is well"],
  ["none", "is slow by 0.9 s"],
];

const NOT_THERE = "The record is not there yet";
const OTHER = "There is a record, but not this one";

/** How the answer of each place begins. */
const ANSWERS: Readonly<Record<Cause, Readonly<Record<Place, string>>>> = {
  unavailable: failing("The DNS of \\S+ did not answer"),
  bogus: failing("The DNS of \\S+ is signed .* but the signatures do not hold"),
  alias: changed("200 dns-setup", "The sign-in record of \\S+ is an alias", OTHER),
  absent: changed("200 dns-setup", NOT_THERE, `(${NOT_THERE}|${OTHER})`),
  ambiguous: changed("422 domain", "\\S+ has more than one sign-in record", OTHER),
  invalid: changed("422 domain", "The sign-in record of \\S+ has a mistake", OTHER),
  none: {
    ...changed("200 dns-setup", NOT_THERE, NOT_THERE),
    ...{ "continue as": "to the app: a code", "prompt=none": "to the app: a code" },
    "a refresh": "200",
  },
};

/** Nothing is known, so nothing changes: a refresh goes on, all others wait. */
function failing(words: string): Record<Place, string> {
  return {
    ...changed("503 domain", words, words),
    "continue as": `503 problem: .*${words}`,
    "prompt=none": "to the app: temporarily_unavailable",
    "a refresh": "200",
  };
}

/** The zone has spoken, and names no account. */
function changed(first: string, setUp: string, challenge: string): Record<Place, string> {
  return {
    "the first page": `${first}: ${setUp}`,
    "a look of the set-up page": `200 dns-setup: ${setUp}`,
    "its check": `200 dns-setup: ${setUp}`,
    "a look of the challenge page": `200 dns-challenge: ${challenge}`,
    "its answer": `200 dns-challenge: ${challenge}`,
    "its recovery code": `200 dns-challenge: ${challenge}`,
    "continue as": "200 domain: ",
    "prompt=none": "to the app: login_required",
    "a refresh": "400 invalid_grant",
  };
}

interface Course {
  readonly told: readonly (Told & { readonly place: Place })[];
  /** What the store was told to make or put to sleep while DNS was bad, and afterwards. */
  readonly made: readonly string[];
  readonly madeAfterwards: readonly string[];
  readonly finished: readonly Place[];
  /** A refresh 72 hours after the last good look, with DNS still bad and then well. */
  readonly late: readonly string[];
}

const DAY = 86_400;
const atOnce = 14;
const closers: (() => Promise<void>)[] = [];
const times: { milliseconds: number; what: string }[] = [];
let courses: Map<string, Promise<Course>>;

async function stageFor(resolvers: number): Promise<Stage> {
  const stage = await startStage(resolvers);
  closers.push(stage.close);
  return stage;
}

beforeAll(async () => {
  const stages: Stage[] = [];
  for (const [, ...resolvers] of CASES) stages.push(await stageFor(resolvers.length));
  // A few at a time: all at once, they would wait for each other and not for DNS.
  const begun: Promise<Course>[] = [];
  courses = new Map(
    CASES.map(([, ...resolvers], index) => {
      const turn = Promise.all([begun[index - atOnce]]).catch(() => {});
      const course = turn.then(() => run(stages[index], resolvers));
      begun.push(course);
      return [resolvers.join(", "), course];
    }),
  );
  for (const course of begun) course.catch(() => {});
}, 60_000);

afterAll(async () => {
  const [slowest] = times.sort((one, other) => other.milliseconds - one.milliseconds);
  console.log(`slowest: ${Math.round(slowest?.milliseconds ?? 0)} ms, ${slowest?.what}`);
  await Promise.all(closers.map((close) => close()));
});

async function run(stage: Stage | undefined, resolvers: readonly Misbehaviour[]): Promise<Course> {
  if (stage === undefined) throw new Error("no stage");
  const { at } = stage;
  const statements = () => at.statements.splice(0).filter((sql) => CHANGES.test(sql));
  // What was seen while all was got ready is not remembered any more.
  at.advance(10);
  stage.behave(...resolvers);
  statements();
  const told = await Promise.all(
    PLACES.map(async (place) => ({ place, ...(await stage.try(place)) })),
  );
  for (const { place, milliseconds } of told) {
    times.push({ milliseconds, what: `${place}, when DNS ${resolvers.join(", ")}` });
  }
  const made = statements();
  stage.behave();
  at.advance(10);
  const finished: Place[] = [];
  for (const place of PLACES) if (await stage.finish(place)) finished.push(place);
  const madeAfterwards = statements();
  stage.behave(...resolvers);
  at.advance(2 * DAY);
  const late = [(await stage.try("a refresh")).words];
  stage.behave();
  // The look that the refresh did not wait for comes to its end.
  await sleep(700);
  at.advance(301);
  late.push((await stage.try("a refresh")).words);
  return { told, made, madeAfterwards, finished, late };
}

const CHANGES = /^(INSERT INTO (accounts|sessions|grants)|UPDATE accounts SET asleep_since = \?1)/;

// What a stalled machine lets time out is well the second time; what is wrong is wrong twice.
const slow = { timeout: 60_000, retry: 1 };

test.each(CASES.map(([cause, ...resolvers]) => [resolvers.join(", "), cause, resolvers] as const))(
  "DNS that %s: the cause is %s, it is told in 3 s, and once DNS is well everybody goes on",
  slow,
  async (title, cause, resolvers) => {
    const begun = courses.get(title);
    courses.delete(title);
    const course = await (begun ?? run(await stageFor(resolvers.length), resolvers));
    const wrong = course.told.filter(
      ({ place, words, milliseconds, hasWayBack }) =>
        !new RegExp(`^${ANSWERS[cause][place]}`).test(words) || milliseconds > 3000 || !hasWayBack,
    );
    expect(wrong).toEqual([]);
    expect(course.finished).toEqual(PLACES);
    // The statements that must not be made while DNS is bad are those by which all go on afterwards.
    for (const table of ["accounts", "sessions", "grants"]) {
      expect(course.madeAfterwards.join("\n")).toContain(`INSERT INTO ${table}`);
    }
    if (cause === "unavailable" || cause === "bogus") {
      expect(course.made).toEqual([]);
      expect(course.late).toEqual(["503 temporarily_unavailable", "200"]);
    } else if (cause !== "none") {
      expect(course.made.filter((sql) => sql.startsWith("INSERT"))).toEqual([]);
    }
  },
);

test(
  "signatures that do not hold come before a server that shows the record all the same",
  slow,
  async () => {
    const stage = await stageFor(3);
    for (const place of ["its check", "its answer"] as const) {
      stage.publish(place);
      stage.behave("answers SERVFAIL for DNSSEC");
      expect((await stage.try(place)).words).toMatch(new RegExp(ANSWERS.bogus[place]));
    }
  },
);

test(
  "a challenge that is there is seen in 3 s, though two resolvers of three are silent",
  slow,
  async () => {
    const stage = await stageFor(3);
    stage.publish("its answer");
    stage.behave("is silent", "is silent");
    const { words, milliseconds } = await stage.try("its answer");
    expect(words).toBe("to the app: a code");
    expect(milliseconds).toBeLessThan(3000);
  },
);

test("who meets the record of another set-up is told of a failure, and no set-up is begun by it", async () => {
  const stage = await stageFor(1);
  const { at } = stage;
  const value = `v=dsi1; sp=${at.issuer}; acct=${"b".repeat(22)}`;
  at.zone.add({ name: "_domain-signin.carol.test", type: "TXT", value, ttl: 300 });
  const agent = createUserAgent();
  const first = await agent.open(authorizationUrl(at, await at.addClient()));
  const page = await agent.submit(first, "domain-form", { domain: "carol.test" });
  expect(page.has("start-over-form")).toBe(true);
  at.advance(10);
  at.statements.length = 0;
  stage.behave("answers SERVFAIL");
  const failed = await agent.open(page.url);
  expect([failed.status, failed.step]).toEqual([503, "problem"]);
  expect(failed.html).toContain("The DNS of carol.test did not answer");
  expect(failed.link("back-to-app")).toContain("error=access_denied");
  expect(at.statements.filter((sql) => sql.startsWith("INSERT"))).toEqual([]);
  stage.behave();
  expect((await agent.open(page.url)).has("start-over-form")).toBe(true);
});

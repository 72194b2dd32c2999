// DNS on its worst days: who waits hears the cause, and nobody gets in by it. What each misbehaviour
// comes to is in `src/dns/looks.test.ts`, how soon it is told in `timed/bad-dns.test.ts`.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { expect, onTestFinished, test } from "vitest";
import { PLACES, type Place, type Stage, startStage } from "../support/bad-dns.ts";
import { ANSWERS, type Cause } from "../support/bad-dns-answers.ts";
import type { Misbehaviour } from "../support/hostile-dns.ts";
import { withoutTimeouts } from "../support/moving-time.ts";
import { authorizationUrl } from "../support/sign-in.ts";

/** What the resolvers do, and the cause that has to be heard. Nobody has to be waited for. */
const CASES: readonly (readonly [cause: Cause, ...resolvers: readonly Misbehaviour[]])[] = [
  ["indeterminate", "is dead"],
  ["indeterminate", "answers SERVFAIL"],
  ["indeterminate", "sends garbage", "cuts off over TCP too", "answers NXDOMAIN with a record"],
  ["bogus", "answers SERVFAIL for DNSSEC"],
  ["absent", "answers in another class"],
  ["invalid", "has a broken record"],
  ["ambiguous", "has two records"],
  ["alias", "has an alias to a web host"],
  ["unconfirmed", "answers SERVFAIL", "sends garbage", "is well"],
  ["none", "answers SERVFAIL", "is well", "is well"],
  ["none", "answers SERVFAIL for DNSSEC", "is well", "is well"],
];

const DAY = 86_400;

withoutTimeouts();

async function stageFor(resolvers: number): Promise<Stage> {
  const stage = await startStage(resolvers);
  onTestFinished(stage.close);
  return stage;
}

async function run(resolvers: readonly Misbehaviour[]) {
  const stage = await stageFor(resolvers.length);
  const { at } = stage;
  const statements = () => at.statements.splice(0).filter((sql) => CHANGES.test(sql));
  // What was seen while all was got ready is not remembered any more.
  at.advance(10);
  stage.behave(...resolvers);
  statements();
  const told = await Promise.all(
    PLACES.map(async (place) => ({ place, ...(await stage.try(place)) })),
  );
  // The refresh looks in the background. Who asks for the same domain waits for that look.
  await stage.try("prompt=none");
  // The accounts, sessions and grants that were made or put to sleep while DNS was bad.
  const made = statements();
  stage.behave();
  at.advance(10);
  const finished: Place[] = [];
  for (const place of PLACES) if (await stage.finish(place)) finished.push(place);
  const madeAfterwards = statements();
  stage.behave(...resolvers);
  // A refresh 72 hours after the last good look, with DNS still bad and then well.
  at.advance(2 * DAY);
  const late = [(await stage.try("a refresh")).words];
  stage.behave();
  at.advance(301);
  late.push((await stage.try("a refresh")).words);
  return { told, made, madeAfterwards, finished, late };
}

const CHANGES = /^(INSERT INTO (accounts|sessions|grants)|UPDATE accounts SET asleep_since = \?1)/;

test.each(CASES.map(([cause, ...resolvers]) => [resolvers.join(", "), cause, resolvers] as const))(
  "DNS that %s: the cause is %s, and once DNS is well everybody goes on",
  async (_, cause, resolvers) => {
    const course = await run(resolvers);
    const wrong = course.told.filter(
      ({ place, words, hasWayBack }) =>
        !new RegExp(`^${ANSWERS[cause][place]}`).test(words) || !hasWayBack,
    );
    expect(wrong).toEqual([]);
    expect(course.finished).toEqual(PLACES);
    // The statements that must not be made while DNS is bad are those by which all go on afterwards.
    for (const table of ["accounts", "sessions", "grants"]) {
      expect(course.madeAfterwards.join("\n")).toContain(`INSERT INTO ${table}`);
    }
    if (["indeterminate", "unconfirmed", "bogus"].includes(cause)) {
      expect(course.made).toEqual([]);
      expect(course.late).toEqual(["503 temporarily_unavailable", "200"]);
    } else if (cause !== "none") {
      expect(course.made.filter((sql) => sql.startsWith("INSERT"))).toEqual([]);
    }
  },
);

test("one resolver that shows the record does not outvote two that find bogus signatures", async () => {
  const stage = await stageFor(3);
  for (const place of ["its check", "its answer"] as const) {
    stage.publish(place);
    stage.behave("answers SERVFAIL for DNSSEC", "answers SERVFAIL for DNSSEC");
    expect((await stage.try(place)).words).toMatch(new RegExp(ANSWERS.contradictory[place]));
  }
});

test("who meets the record of another set-up is told of a failure, and no set-up is begun by it", async () => {
  const stage = await stageFor(1);
  const { at } = stage;
  const value = `v=dsi1 sp=${at.issuer} acct=${"b".repeat(22)}`;
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
  expect(failed.html).toContain("The DNS servers for carol.test did not answer");
  expect(failed.link("back-to-app")).toContain("error=access_denied");
  expect(at.statements.filter((sql) => sql.startsWith("INSERT"))).toEqual([]);
  stage.behave();
  expect((await agent.open(page.url)).has("start-over-form")).toBe(true);
});

// Replayed answers of a signed zone: what is older than what was accepted needs all resolvers.

import type { UserAgent } from "domain-signin-demo/browser/user-agent";
import type { DnsMessage } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { beforeEach, expect, test } from "vitest";
import { zoneBecomes } from "../support/assured-accounts.ts";
import { startAssuredService } from "../support/assured-service.ts";
import { fixture } from "../support/fixture.ts";
import type { Lie } from "../support/lying-resolvers.ts";
import { withoutTimeouts } from "../support/moving-time.ts";
import { authorizationUrl } from "../support/sign-in.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const DOMAIN = "alice.test";
const RECORD = `_domain-signin.${DOMAIN}`;
const CONTRADICTORY = /DNS servers disagree about alice\.test/;

const world = fixture(() => startAssuredService("corroborated"), "test");
let owner: UserAgent;
/** The answer with the owner's record, as it was signed at the start. */
let replayed: Lie;
withoutTimeouts();
beforeEach(async () => {
  owner = await world.enrolled(DOMAIN);
  replayed = replayNow();
});

/** Answers from now on as the zone does at this moment. */
function replayNow(): Lie {
  const isMeant = ({ questions: [question] }: DnsMessage) =>
    question?.name === RECORD && question.type === recordType.TXT;
  const question = { name: RECORD, type: recordType.TXT, class: 1 };
  const { answers, authorities, rcode } = world.zones.answer({
    ...{ id: 1, isResponse: false, opcode: 0, rcode: 0, authoritative: false, truncated: false },
    ...{ recursionDesired: true, recursionAvailable: false },
    ...{ authenticData: false, checkingDisabled: false },
    ...{ questions: [question], answers: [], authorities: [], additionals: [] },
    edns: { udpSize: 1232, version: 0, dnssecOk: true, options: [] },
  });
  return (query, answer) => (isMeant(query) ? { ...answer, rcode, answers, authorities } : answer);
}

const zoneSays = (value: string | null) => zoneBecomes(world, RECORD, value);

/** Lets `resolvers` replay the owner's record, and everybody forget what they saw. */
function replayAt(...resolvers: readonly number[]): void {
  for (const [index, one] of world.resolvers.entries()) {
    one.lie(...(resolvers.includes(index) ? [replayed] : []));
  }
  world.advance(301);
}

/** Ends the owner's account by what the zone says now. */
async function lose(): Promise<void> {
  world.advance(5 * HOUR);
  const page = await owner.open(authorizationUrl(world.at, world.client));
  await owner.submit(page, "continue-form");
  expect(await world.sleeping()).toEqual({ [DOMAIN]: true });
}

test.each([
  ["the record was removed", null],
  ["the record became sp=none", "v=dsi1 sp=none"],
])("after %s, two resolvers that replay it wake nobody, and three do", async (_, value) => {
  zoneSays(value);
  await lose();
  replayAt(0, 1);
  const page = await world.enter(owner, DOMAIN);
  expect([page.status, page.step]).toEqual([503, "domain"]);
  expect(page.html).toMatch(CONTRADICTORY);
  expect(await world.sleeping()).toEqual({ [DOMAIN]: true });
  // As after a move to a signer whose inceptions are older.
  replayAt(0, 1, 2);
  expect((await world.enter(owner, DOMAIN)).step).toBe("dns-challenge");
  expect(await world.sleeping()).toEqual({ [DOMAIN]: false });
});

test("two resolvers that replay an absence put nobody to sleep", async () => {
  const record = world.at.zone.records().find(({ name }) => name === RECORD)?.value ?? "";
  zoneSays(null);
  world.advance(5 * HOUR);
  replayed = replayNow();
  zoneSays(record);
  // A look accepts the record as it was signed since.
  world.advance(5 * HOUR);
  expect((await world.enter(owner, DOMAIN)).step).toBe("dns-challenge");
  replayAt(0, 1);
  const page = await world.enter(owner, DOMAIN);
  expect([page.status, page.step]).toEqual([503, "domain"]);
  world.advance(7 * DAY);
  await world.at.walk();
  expect(await world.sleeping()).toEqual({ [DOMAIN]: false });
});

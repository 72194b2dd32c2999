// A sample of the matrix of looks through the whole service, with real packets.

import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { sampleOf } from "../../../verify/test/support/random-seed.ts";
import { accountsOf, silently, zoneBecomes } from "../support/assured-accounts.ts";
import { startAssuredService } from "../support/assured-service.ts";
import { fixture } from "../support/fixture.ts";
import { type Before, expectedOf, type ReadAnswer } from "../support/look-model.ts";
import {
  type Lie,
  madeUpSignature,
  noSuchName,
  says,
  servfail,
  textOf,
  withoutAnySignature,
} from "../support/lying-resolvers.ts";
import { signInForTokens } from "../support/sign-in.ts";

const DAY = 86_400;
const TXT = 16;
const KINDS = [
  ...["right", "replayed", "lying", "bogus", "SERVFAIL", "blocked", "no authority"],
  ...["NXDOMAIN", "silent", "slow", "truncated", "stripped"],
] as const;
type Kind = (typeof KINDS)[number];

/** What the zone contains: nobody's record, sp=none, or that of the first or the second owner. */
type Content = "absent" | "disabled" | "first" | "second";
const SITUATIONS: readonly (readonly [before: Content, now: Content])[] = [
  ["first", "second"],
  ["absent", "first"],
  ["disabled", "first"],
  ["first", "absent"],
  ["first", "disabled"],
];
const COMBINATIONS = ["alice.test", "carol.test"].flatMap((domain) =>
  SITUATIONS.flatMap((situation) =>
    KINDS.flatMap((first) =>
      KINDS.flatMap((second) =>
        KINDS.map((third) => ({ domain, situation, kinds: [first, second, third] as const })),
      ),
    ),
  ),
);
const SAMPLE = 8;
/** After the end of every look. */
const TOO_LATE_MS = 4000;

const world = fixture(() => startAssuredService("corroborated"), "test");

/** What a stranger sees who types the domain, and each account afterwards. */
const STEPS: Readonly<Record<Content | "lie", string>> = {
  ...{ absent: "dns-setup", disabled: "domain", first: "dns-challenge", second: "dns-challenge" },
  // A record that this browser did not begin.
  lie: "problem",
};

test.each(sampleOf(COMBINATIONS, SAMPLE))(
  "$domain, $situation, with resolvers $kinds",
  async ({ domain, situation: [before, now], kinds }) => {
    const name = `_domain-signin.${domain}`;
    const owners = new Map<Content, Awaited<ReturnType<typeof signInForTokens>>>();
    const become = async (content: Content) => {
      zoneBecomes(world, name, content === "disabled" ? "v=dsi1 sp=none" : null);
      if (content === "absent" || content === "disabled") return;
      const agent = createUserAgent();
      zoneBecomes(world, name, null);
      owners.set(content, await signInForTokens(world.at, world.client, { agent, domain }));
    };
    await become(before);
    const past = world.replay();
    world.advance(2 * DAY);
    await become(now);
    const settled = await accountsOf(world);

    const lie = `v=dsi1 sp=${world.at.issuer} acct=${"l".repeat(22)}`;
    for (const [index, kind] of kinds.entries()) {
      const resolver = world.resolvers[index];
      resolver?.lie(...liesOf(kind, { domain, name, lie, past }));
      resolver?.silence(kind === "silent");
      if (kind === "slow") resolver?.delay(TOO_LATE_MS);
    }
    world.advance(301);
    const heard = kinds.map((kind) => heardFrom(kind, domain, before, now));
    const [first = "nothing", second = "nothing", third = "nothing"] = heard;
    const accepted = acceptedOf(domain, before, now);
    const expected = expectedOf([first, second, third], accepted);
    const says = typeof expected === "string" ? null : (expected.says as keyof typeof STEPS);
    const page = await world.enter(createUserAgent(), domain);
    const failure = { contradictory: /disagree/, bogus: /DNSSEC validation failed/ };
    if (says === null) {
      expect([page.status, page.step]).toEqual([503, "domain"]);
      if (expected === "contradictory" || expected === "bogus") {
        expect(page.html).toMatch(failure[expected]);
      }
    } else expect(page.step).toBe(STEPS[says]);

    // Only the account that the answer names gets a code.
    for (const [owner, { signIn }] of owners) {
      const got = await silently(world, signIn.agent);
      const isAwake = settled[[...owners.keys()].indexOf(owner)] === "awake";
      if (says === null) expect(got).toBe(isAwake ? "temporarily_unavailable" : "login_required");
      else expect(got === "code").toBe(says === owner);
    }
    if (says === null) expect(await accountsOf(world)).toEqual(settled);
  },
);

function liesOf(
  kind: Kind,
  { domain, name, lie, past }: { domain: string; name: string; lie: string; past: Lie },
): readonly Lie[] {
  const isSigned = domain !== "carol.test";
  switch (kind) {
    case "right":
    case "slow":
    case "silent":
      return [];
    case "replayed":
      return [past];
    case "lying": {
      const now = Math.floor(Date.now() / 1000);
      const signature = madeUpSignature({ name, type: TXT }, domain, now);
      return [says(name, textOf(name, lie), ...(isSigned ? [signature] : []))];
    }
    case "bogus":
      return [servfail(6)];
    case "SERVFAIL":
      return [servfail()];
    case "blocked":
      return [servfail(15)];
    case "no authority":
      return [servfail(22)];
    case "NXDOMAIN":
      return [noSuchName(name)];
    case "truncated":
      return [(_, answer) => ({ ...answer, truncated: true, answers: [], authorities: [] })];
    case "stripped":
      return [withoutAnySignature];
  }
}

/** What the service remembers of a signed zone: the record of the last sign-in. */
function acceptedOf(domain: string, before: Content, now: Content): Before | null {
  if (domain === "carol.test") return null;
  if (now === "first" || now === "second") return { says: now, inception: 2 };
  return before === "first" ? { says: before, inception: 1 } : null;
}

function heardFrom(kind: Kind, domain: string, before: Content, now: Content): ReadAnswer {
  const isSigned = domain !== "carol.test";
  const voice = (says: string, inception: number): ReadAnswer => ({
    says,
    inception: isSigned ? inception : null,
  });
  switch (kind) {
    case "right":
      return voice(now, 2);
    case "replayed":
      return voice(before, 1);
    case "lying":
      return isSigned ? "bogus" : voice("lie", 0);
    case "NXDOMAIN":
      return isSigned ? "bogus" : voice("absent", 0);
    case "bogus":
    case "stripped":
      return "bogus";
    case "SERVFAIL":
    case "blocked":
    case "no authority":
    case "silent":
    case "slow":
    case "truncated":
      return "nothing";
  }
}

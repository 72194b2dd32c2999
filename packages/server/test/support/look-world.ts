// What a resolver answers about a domain at its best and at its worst, validated, for the matrix of looks.

import { DEMO_ZONES } from "domain-signin-demo/zones/demo-zones";
import { createSignedZones } from "domain-signin-demo/zones/signed-zone-answer";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import { decodeMessage, encodeQuery } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import { parseTrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { answerOf } from "../../src/dns/resolver.ts";
import { createValidator } from "../../src/dns/validator.ts";
import { type View, viewThrough } from "../../src/dns/view.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import type { ReadAnswer } from "./look-model.ts";
import {
  goneUnsigned,
  type Lie,
  madeUpSignature,
  noSuchName,
  says,
  servfail,
  textOf,
  withoutAnySignature,
} from "./lying-resolvers.ts";

export const KINDS = [
  ...["right", "replayed", "lying", "bogus", "SERVFAIL", "blocked", "no authority", "NXDOMAIN"],
  ...["silent", "slow", "slow and replayed", "truncated", "stripped", "downgraded"],
] as const;
export type Kind = (typeof KINDS)[number];

export const ISSUER = "https://auth.example.net";
const LABEL = "_domain-signin";
export const NOW = 1_800_000_000;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** What a zone contains, in the terms of the model, and the record; null for none. */
export type Content = readonly [says: string, value: string | null];
const own = (letter: string): Content => {
  const acct = letter.repeat(22);
  return [`own ${acct}`, `v=dsi1 sp=${ISSUER} acct=${acct}`];
};
const ABSENT: Content = ["absent", null];
const NONE: Content = ["disabled", "v=dsi1 sp=none"];
const SP = "https://sp.example.org";
const EXTERNAL: Content = [`external ${SP}`, `v=dsi1 sp=${SP} acct=${"x".repeat(22)}`];
const LIE = own("l");

/** What stood there before, and what stands there now. */
export const SITUATIONS: Readonly<Record<string, readonly [before: Content, now: Content]>> = {
  confirm: [own("b"), own("a")],
  enrol: [ABSENT, own("a")],
  adopt: [ABSENT, EXTERNAL],
  wake: [NONE, own("a")],
  sleep: [own("a"), ABSENT],
  none: [own("a"), NONE],
  "SP changed": [own("a"), EXTERNAL],
};

/** When both were signed. A new signer may backdate its signatures by days. */
export const AGES = {
  newer: [NOW - 3 * DAY, NOW],
  "the same": [NOW, NOW],
  older: [NOW, NOW - 3 * DAY],
} as const;

export interface Answered {
  /** Null: the resolver never answers. */
  readonly view: View | null;
  readonly isSlow: boolean;
  /** What the rules make of it. */
  readonly heard: ReadAnswer;
}

/** `before` and `now` were signed at these times, in epoch seconds. */
export function createLookWorld(domain: string) {
  const isSigned = domain !== "carol.test";
  const name = `${LABEL}.${domain}`;
  let zone: { readonly value: string | null; readonly time: number } = { value: null, time: NOW };
  const records = (): readonly ZoneRecord[] =>
    zone.value === null ? [] : [{ name, type: "TXT", value: zone.value, ttl: 300 }];
  const zones = createSignedZones({ zones: DEMO_ZONES, records, now: () => zone.time });
  const trustAnchors = zones.trustAnchors.map(parseTrustAnchor);

  /** What comes of the answers of a resolver that has this zone and tells this lie. */
  function viewOf(content: typeof zone, lie: Lie = (_, answer) => answer): Promise<View> {
    const query = async (asked: string, type: number) => {
      const question = decodeMessage(encodeQuery({ id: 1, name: asked, type }));
      zone = content;
      return answerOf({ outcome: "message", message: lie(question, zones.answer(question)) });
    };
    return viewThrough(
      createValidator({ query, clock: clockFrom(() => NOW * 1000), trustAnchors }),
      name,
      LABEL,
    );
  }

  const unsent: Promise<View> = Promise.resolve({ security: "indeterminate", reason: "network" });
  const forgery = () => {
    const signature = madeUpSignature({ name, type: recordType.TXT }, domain, NOW);
    return says(name, textOf(name, String(LIE[1])), ...(isSigned ? [signature] : []));
  };

  async function answered(
    kind: Kind,
    [before, now]: readonly [Content, Content],
    [beforeAt, nowAt]: readonly [number, number],
  ): Promise<Answered> {
    const right = { value: now[1], time: nowAt };
    const voice = (says: string, time: number): ReadAnswer => ({
      says,
      inception: isSigned ? time - HOUR : null,
    });
    const at = async (view: Promise<View> | null, heard: ReadAnswer, isSlow = false) => ({
      ...{ view: await view, heard, isSlow },
    });
    switch (kind) {
      case "right":
      case "slow":
        return at(viewOf(right), voice(now[0], nowAt), kind === "slow");
      case "replayed":
      case "slow and replayed": {
        const view = viewOf({ value: before[1], time: beforeAt });
        return at(view, voice(before[0], beforeAt), kind === "slow and replayed");
      }
      case "lying":
        return at(viewOf(right, forgery()), isSigned ? "bogus" : voice(LIE[0], 0));
      case "downgraded": {
        // Proven as it once was: the zone above says that there is no DS.
        const old = { value: LIE[1], time: NOW - 3 * DAY };
        const heard = { says: LIE[0], inception: null };
        return at(viewOf(old, isSigned ? goneUnsigned(zones, domain) : undefined), heard);
      }
      case "bogus":
        return at(viewOf(right, servfail(6)), "bogus");
      case "SERVFAIL":
        return at(viewOf(right, servfail()), "nothing");
      case "blocked":
        return at(viewOf(right, servfail(15)), "nothing");
      case "no authority":
        return at(viewOf(right, servfail(22)), "nothing");
      case "NXDOMAIN":
        // Without proof it is bogus in a signed zone (RFC 4035 §5.4), and a word in any other.
        return at(viewOf(right, noSuchName(name)), isSigned ? "bogus" : voice("absent", 0));
      case "stripped":
        return at(viewOf(right, withoutAnySignature), "bogus");
      case "truncated":
        // And nobody listens at its TCP port.
        return at(unsent, "nothing");
      case "silent":
        return at(null, "nothing");
    }
  }

  return { domain, isSigned, answered, viewOf };
}

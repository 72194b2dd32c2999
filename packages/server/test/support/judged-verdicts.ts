// What we, delv and unbound each make of a name, in the same five words.

import { parseTrustAnchor } from "domain-signin-verify";
import { createResolver } from "../../src/dns/resolver.ts";
import { createValidator } from "../../src/dns/validator.ts";
import { viewThrough } from "../../src/dns/view.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { serverAt } from "./dns-server.ts";
import type { Judged, Judgement, Validator, Verdict } from "./validators.ts";

/** "absent" is nothing at the name, proven or not; "failed" is no verdict. */
export type Word = Verdict | "absent";

export type Judge = (name: string) => Promise<{ readonly word: Word; readonly reason: string }>;

const label = "_domain-signin";
const txt = 16;

/** Our own view through the only resolver, which does not validate. It remembers nothing. */
export function ourJudge({ port, trustAnchors }: Judged): Judge {
  return async (name) => {
    const resolver = createResolver({ servers: [serverAt(`127.0.0.1:${port}`)] });
    const validator = createValidator({
      query: resolver.query,
      clock: systemClock,
      trustAnchors: trustAnchors.map(parseTrustAnchor),
    });
    const view = await viewThrough(validator, name, label);
    if ("reason" in view) {
      return { word: view.security === "bogus" ? "bogus" : "failed", reason: view.reason };
    }
    const isAbsent = view.found.values.length === 0 && view.found.aliasTarget === null;
    return { word: isAbsent ? "absent" : view.security, reason: view.security };
  };
}

export function judgeBy(validator: Validator): Judge {
  return async (name) => {
    const judgement = await validator.judge({ name, type: txt });
    return { word: isAbsent(judgement) ? "absent" : judgement.verdict, reason: judgement.reason };
  };
}

/** A denial that is proven, or that nobody signs. unbound tells NXDOMAIN, delv NODATA as well. */
function isAbsent({ verdict, reason }: Judgement): boolean {
  if (verdict !== "secure" && verdict !== "insecure") return false;
  return /^rcode 3\b|ncache|negative response/.test(reason);
}

/** The words of several judges, and why they say them. */
export async function words(
  judges: Readonly<Record<string, Judge>>,
  name: string,
): Promise<{ readonly said: Readonly<Record<string, Word>>; readonly reasons: string }> {
  const entries = await Promise.all(
    Object.entries(judges).map(async ([who, judge]) => [who, await judge(name)] as const),
  );
  const reasons = entries.map(([who, { word, reason }]) => `${who}: ${word} (${reason})`);
  return {
    said: Object.fromEntries(entries.map(([who, { word }]) => [who, word])),
    reasons: reasons.join("; "),
  };
}

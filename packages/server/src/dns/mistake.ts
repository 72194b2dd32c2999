// Which usual mistake of a person at a DNS panel explains what was found instead of the wanted value.

import { parseChallengeRecord } from "domain-signin-verify/challenge-record";
import { parseSpRecord, type RecordProblemCode } from "domain-signin-verify/record";

/** `name` is where the record is by mistake; in `seconds`, if known, the last resolver has forgotten the old value. */
export type Mistake =
  | Omit<Misplaced, "values">
  | { readonly kind: "cut_at_semicolon" }
  | { readonly kind: "quoted" }
  | { readonly kind: "several" }
  | { readonly kind: "old_value"; readonly seconds: number | null };

/** The values at a name where records are often published by mistake. */
export interface Misplaced {
  /** At the domain itself; with the zone's name twice; at the zone's apex instead of at the subdomain. */
  readonly kind: "at_domain" | "doubled_name" | "at_parent";
  readonly name: string;
  readonly values: readonly string[];
}

/** What one server answered, and whether it is the wanted value that counts there. */
export interface Answered {
  readonly isWanted: boolean;
  readonly values: readonly string[];
  readonly ttl: number | null;
}

/** The value to be published; `isSame` compares what records say, not how they are written. */
export interface Wanted {
  isSame(value: string): boolean;
  /** Whether every character of the value is known, so that the value is recognised at any name. */
  readonly isExact: boolean;
  /** Whether no second record may begin with `v=dsi1` (an SP record's rule, not a challenge's). */
  readonly isAlone: boolean;
}

// The issuer in the wanted value was accepted already, whatever the rules for issuers are here.
const ANY_ISSUER = { allowLoopbackIssuer: true, allowIssuerPort: true };

/** A record with exactly this value, any record that names this `sp`, or with null any of any version. */
export type WantedRecord = string | { readonly sp: string | null };

export function readWanted(wanted: WantedRecord): Wanted {
  if (typeof wanted !== "string") {
    const { sp } = wanted;
    if (sp === null) return { isSame: isOfAnyVersion, isExact: false, isAlone: false };
    const isSame = (value: string) => {
      const parsed = parseSpRecord(value, ANY_ISSUER);
      return parsed.outcome === "ok" && parsed.record.sp === sp;
    };
    return { isSame, isExact: false, isAlone: true };
  }
  const identity = identityOf(wanted);
  return {
    isSame: (value) => identityOf(value) === identity,
    isExact: true,
    isAlone: parseChallengeRecord(wanted, ANY_ISSUER).outcome !== "ok",
  };
}

/** Whether the value, of any length, was meant as a record of ours. */
export function isOurs(value: string): boolean {
  return isRecord(value) || parseSpRecord(value).outcome === "other_version";
}

/** Whether the value was meant as an SP record of this or a later version. */
function isOfAnyVersion(value: string): boolean {
  return isRecord(value) || parseSpRecord(value).outcome === "unsupported";
}

/** Whether the value counts as an SP record, so that two of them are one too many. */
function isRecord(value: string): boolean {
  const { outcome } = parseSpRecord(value);
  return outcome === "ok" || outcome === "invalid";
}

/** Whether the wanted value is there and nothing beside it makes it void. */
export function showsWanted(values: readonly string[], wanted: Wanted): boolean {
  const isVoid = wanted.isAlone && values.filter(isRecord).length > 1;
  return values.some(wanted.isSame) && !isVoid;
}

/** `nameServers` and `resolvers` are those that answered. The surest sign comes first. */
export function findMistake(
  answers: { readonly nameServers: readonly Answered[]; readonly resolvers: readonly Answered[] },
  places: readonly Misplaced[],
  wanted: Wanted,
): Mistake | null {
  // Without name servers, only the resolvers know anything about the zone.
  const zone = answers.nameServers.length > 0 ? answers.nameServers : answers.resolvers;
  if (zone.some(({ isWanted }) => isWanted)) return oldValue(answers.resolvers);
  const isSeveral = zone.some(({ values }) => values.filter(isRecord).length > 1);
  if (wanted.isAlone && isSeveral) return { kind: "several" };
  const ours = zone.flatMap(({ values }) => values.filter(isOurs));
  return (
    misplaced(places, wanted, wanted.isSame) ??
    malformed(ours) ??
    (ours.length === 0 ? misplaced(places, wanted, isOurs) : null)
  );
}

function oldValue(resolvers: readonly Answered[]): Mistake | null {
  const behind = resolvers.filter(({ isWanted }) => !isWanted);
  if (behind.length === 0) return null;
  const ttls = behind.map(({ ttl }) => ttl).filter((ttl) => ttl !== null);
  return { kind: "old_value", seconds: ttls.length > 0 ? Math.max(...ttls) : null };
}

/** The apex may have a valid record for another account of the owner: only the wanted value is a mistake. */
function misplaced(places: readonly Misplaced[], wanted: Wanted, isIt: Wanted["isSame"]) {
  const place = places.find(({ kind, values }) =>
    kind === "at_parent" ? wanted.isExact && values.some(wanted.isSame) : values.some(isIt),
  );
  return place ? { kind: place.kind, name: place.name } : null;
}

/** The values are short, so that these patterns may look at parts of them more than once. */
function malformed(values: readonly string[]): Mistake | null {
  // Cut first: a panel that cuts a value often leaves the opening quotation mark.
  const isCut = (value: string) => /^[\s"'“”„]*v\s*=\s*dsi1(?:-chal)?[\s\\;"'“”„]*$/i.test(value);
  if (values.some(isCut)) return { kind: "cut_at_semicolon" };
  const isQuoted = (value: string) => problemCodes(value).some((code) => QUOTES.includes(code));
  return values.some(isQuoted) ? { kind: "quoted" } : null;
}

const QUOTES: readonly RecordProblemCode[] = ["quotes", "curly_quotes"];

function problemCodes(value: string): readonly RecordProblemCode[] {
  const record = parseSpRecord(value);
  const parsed = record.outcome === "other_version" ? parseChallengeRecord(value) : record;
  return parsed.outcome === "invalid" ? parsed.problems.map(({ code }) => code) : [];
}

/** Equal for records that say the same. Keys do not count: whatever keys a record lists, it names the account. */
function identityOf(value: string): string {
  const sp = parseSpRecord(value, ANY_ISSUER);
  if (sp.outcome === "ok") return JSON.stringify([sp.record.sp, sp.record.acct ?? null]);
  const challenge = parseChallengeRecord(value, ANY_ISSUER);
  if (challenge.outcome !== "ok") return value;
  return JSON.stringify([challenge.record.sp, challenge.record.chal]);
}

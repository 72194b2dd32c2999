// Which usual mistake of a person at a DNS panel explains what was found instead of the wanted value.

import { parseSpRecord } from "domain-signin-verify/record";
import { withoutGaps } from "./difference.ts";
import { readValue, type ValueMistake, valueMistake } from "./wrong-value.ts";

/** `name` is where the record is by mistake; in `seconds`, if known, the last resolver has forgotten the old value. */
export type Mistake =
  | Omit<Misplaced, "values">
  | ValueMistake
  /** Several records; the wanted one and another; the wanted value, cut into two records. */
  | { readonly kind: "several" | "old_beside_new" | "split_in_two" }
  | { readonly kind: "old_value"; readonly seconds: number | null };

/** The values at a name where records are often published by mistake. */
export interface Misplaced {
  /**
   * At the domain itself; with the zone's name twice; below `www`; without the underscore; at the zone's apex instead of
   * at the subdomain.
   */
  readonly kind: "at_domain" | "doubled_name" | "at_www" | "no_underscore" | "at_parent";
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
  /** Null if not every character of the value is known, so that the value is not recognised at any name. */
  readonly value: string | null;
  /** Whether no second record may begin with `v=dsi1` (an SP record's rule, not a challenge's). */
  readonly isAlone: boolean;
}

/** A record with exactly this value, any record that names this `sp`, or with null any of any version. */
export type WantedRecord = string | { readonly sp: string | null };

export function readWanted(wanted: WantedRecord): Wanted {
  if (typeof wanted !== "string") {
    const { sp } = wanted;
    if (sp === null) return { isSame: isOfAnyVersion, value: null, isAlone: false };
    const isSame = (value: string) => {
      const read = readValue(value);
      return isRecord(value) && read.outcome === "ok" && read.sp === sp;
    };
    return { isSame, value: null, isAlone: true };
  }
  const identity = identityOf(wanted);
  return {
    isSame: (value) => identityOf(value) === identity,
    value: wanted,
    isAlone: parseSpRecord(wanted).outcome !== "other_version",
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

/**
 * `nameServers` and `resolvers` are those that answered, `earlier` the accounts of set-ups that the browser began before.
 * The surest sign comes first.
 */
export function findMistake(
  answers: { readonly nameServers: readonly Answered[]; readonly resolvers: readonly Answered[] },
  places: readonly Misplaced[],
  wanted: Wanted,
  earlier: readonly string[] = [],
): Mistake | null {
  // Without name servers, only the resolvers know anything about the zone.
  const zone = answers.nameServers.length > 0 ? answers.nameServers : answers.resolvers;
  if (zone.some(({ isWanted }) => isWanted)) return oldValue(answers.resolvers);
  const ours = zone.flatMap(({ values }) => values.filter(isOurs));
  return (
    several(zone, wanted) ??
    misplaced(places, wanted, wanted.isSame) ??
    firstOf(ours, (value) => valueMistake(value, { value: wanted.value, earlier })) ??
    (ours.length === 0 ? misplaced(places, wanted, isOurs) : null)
  );
}

function oldValue(resolvers: readonly Answered[]): Mistake | null {
  const behind = resolvers.filter(({ isWanted }) => !isWanted);
  if (behind.length === 0) return null;
  const ttls = behind.map(({ ttl }) => ttl).filter((ttl) => ttl !== null);
  return { kind: "old_value", seconds: ttls.length > 0 ? Math.max(...ttls) : null };
}

/** Of several records at one server, and of the parts of one value. */
function several(zone: readonly Answered[], wanted: Wanted): Mistake | null {
  const { value } = wanted;
  const isSplit = value !== null && zone.some(({ values }) => isInTwo(values, value));
  if (isSplit) return { kind: "split_in_two" };
  const full = zone.filter(({ values }) => values.filter(isRecord).length > 1);
  if (!wanted.isAlone || full.length === 0) return null;
  const isThere = value !== null && full.some(({ values }) => values.some(wanted.isSame));
  return { kind: isThere ? "old_beside_new" : "several" };
}

/** Whether one of the values is the start of the wanted one, and another is the rest. */
function isInTwo(values: readonly string[], wanted: string): boolean {
  const whole = withoutGaps(wanted);
  const parts = values.map(withoutGaps).filter((part) => part !== "" && part !== whole);
  return parts.some((part) => whole.startsWith(part) && parts.includes(whole.slice(part.length)));
}

/** The apex may have a valid record for another account of the owner: only the wanted value is a mistake. */
function misplaced(places: readonly Misplaced[], wanted: Wanted, isIt: Wanted["isSame"]) {
  const place = places.find(({ kind, values }) =>
    kind === "at_parent" ? wanted.value !== null && values.some(wanted.isSame) : values.some(isIt),
  );
  return place ? { kind: place.kind, name: place.name } : null;
}

function firstOf<Value, Result>(
  values: readonly Value[],
  find: (value: Value) => Result | null,
): Result | null {
  for (const value of values) {
    const result = find(value);
    if (result !== null) return result;
  }
  return null;
}

/** Equal for records that say the same. Keys do not count: whatever keys a record lists, it names the account. */
function identityOf(value: string): string {
  const read = readValue(value);
  if (read.outcome !== "ok") return value;
  return JSON.stringify([isRecord(value), read.sp, read.id]);
}

// The SP record, in which a domain names its service provider, its account there and its keys.

import { type Issuer, type IssuerOptions, readIssuer } from "./issuer.ts";
import {
  invalid,
  problem,
  problemsOf,
  type RecordProblem,
  readTagList,
  type Tags,
  type UnusableRecord,
} from "./tag-list.ts";

export { type Issuer, type IssuerOptions, spellingMistakes } from "./issuer.ts";
export type {
  RecordProblem,
  RecordProblemCode,
  RecordVersion,
  UnusableRecord,
} from "./tag-list.ts";

/** RFC 7638 thumbprints of the keys that may sign statements: the owner's, and the service provider's. */
export interface RecordKeys {
  readonly jkt: readonly string[];
  readonly spk: readonly string[];
}

/** `sp: "none"` means that nobody may sign in as this domain; any other record names an account. */
export type SpRecord = RecordKeys &
  (
    | { readonly sp: "none"; readonly acct?: string }
    | { readonly sp: Issuer; readonly acct: string }
  );

export type ParsedSpRecord = { readonly outcome: "ok"; readonly record: SpRecord } | UnusableRecord;

/** Exactly one of the TXT values at a name may be an SP record. */
export type ChosenRecord =
  | { readonly outcome: "one"; readonly record: SpRecord }
  | { readonly outcome: "none" | "invalid" | "ambiguous" | "unsupported" };

/** The same, and each value with its problems. */
export type SpRecordSet = ChosenRecord & { readonly found: readonly FoundRecord[] };

export type FoundRecord = { readonly value: string; readonly problems: readonly RecordProblem[] };

const ACCT_RE = /^[A-Za-z0-9_-]{22,64}$/;
const KEYS_RE = /^[A-Za-z0-9_-]{43}(?:,[A-Za-z0-9_-]{43}){0,3}$/;

/** Reads one TXT value (its strings joined without a separator), with one character for each octet. */
export function parseSpRecord(text: string, options: IssuerOptions = {}): ParsedSpRecord {
  const list = readTagList(text, "dsi1");
  if (list.outcome !== "tags") return list;
  const problems: RecordProblem[] = [];
  const sp = readSp(list.tags, options, problems);
  const acct = readAcct(list.tags, sp, problems);
  const keys = readKeys(list.tags, problems);
  if (problems.length === 0) {
    if (sp === "none") return { outcome: "ok", record: { sp, ...(acct && { acct }), ...keys } };
    if (sp && acct) return { outcome: "ok", record: { sp, acct, ...keys } };
  }
  return invalid(...problems);
}

/** Reads all TXT values at `_domain-signin.<domain>`. */
export function chooseSpRecord(
  values: readonly string[],
  options: IssuerOptions = {},
): ChosenRecord {
  const parsed = values.map((value) => parseSpRecord(value, options));
  const [only, second] = parsed.filter(isOurs);
  if (second) return { outcome: "ambiguous" };
  if (only?.outcome === "ok") return { outcome: "one", record: only.record };
  if (only) return { outcome: "invalid" };
  const newer = parsed.some(({ outcome }) => outcome === "unsupported");
  return { outcome: newer ? "unsupported" : "none" };
}

/** The same, for a person who has to correct the records. */
export function readSpRecordSet(
  values: readonly string[],
  options: IssuerOptions = {},
): SpRecordSet {
  const chosen = chooseSpRecord(values, options);
  const found = values.map((value) => {
    const parsed = parseSpRecord(value, options);
    const isOneOfMany = chosen.outcome === "ambiguous" && isOurs(parsed);
    return { value, problems: [...problemsOf(value, parsed), ...(isOneOfMany ? [NOT_ALONE] : [])] };
  });
  return { ...chosen, found };
}

function isOurs({ outcome }: ParsedSpRecord): boolean {
  return outcome === "ok" || outcome === "invalid";
}

/** With single spaces: nothing that a DNS panel cuts, escapes or quotes. The caller must pass valid parts. */
export function formatSpRecord(record: {
  sp: string;
  acct?: string | undefined;
  spk?: readonly string[] | undefined;
  jkt?: readonly string[] | undefined;
}): string {
  const tags = ["v=dsi1", `sp=${record.sp}`];
  if (record.acct) tags.push(`acct=${record.acct}`);
  if (record.jkt?.length) tags.push(`jkt=${record.jkt.join(",")}`);
  if (record.spk?.length) tags.push(`spk=${record.spk.join(",")}`);
  return tags.join(" ");
}

/** Reads `sp`, which may be `none` only in this record. Adds what is wrong to `problems`. */
function readSp(
  tags: Tags,
  options: IssuerOptions,
  problems: RecordProblem[],
): "none" | Issuer | undefined {
  return tags.get("sp") === "none" ? "none" : readIssuer(tags, options, problems);
}

function readAcct(tags: Tags, sp: string | undefined, problems: RecordProblem[]) {
  const acct = tags.get("acct");
  if (acct === undefined && sp !== "none") {
    problems.push(problem("missing_acct"));
  }
  if (acct !== undefined && !ACCT_RE.test(acct)) problems.push(problem("bad_acct"));
  return acct;
}

/** Nobody may speak for both: a provider that signs as the owner would prove what the owner never did. */
function readKeys(tags: Tags, problems: RecordProblem[]): RecordKeys {
  const [jkt, spk] = [
    readThumbprints(tags, "jkt", problems),
    readThumbprints(tags, "spk", problems),
  ];
  if (jkt.some((key) => spk.includes(key))) problems.push(problem("key_in_both"));
  return { jkt, spk };
}

function readThumbprints(
  tags: Tags,
  tag: "jkt" | "spk",
  problems: RecordProblem[],
): readonly string[] {
  const list = tags.get(tag);
  if (list === undefined) return [];
  if (KEYS_RE.test(list)) return list.split(",");
  problems.push(problem(`bad_${tag}`));
  return [];
}

const NOT_ALONE = problem("not_alone");

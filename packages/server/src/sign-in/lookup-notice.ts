// The result of a DNS lookup, as the pages show it to the user.

import type { Bogus } from "../dns/bogus.ts";
import type { Diagnosis, ServerFinding } from "../dns/diagnosis.ts";
import { differenceOf } from "../dns/difference.ts";
import { isOurs } from "../dns/mistake.ts";
import {
  type ChallengeLook,
  type FoundText,
  failureOf,
  type SpRecordLook,
} from "../dns/sp-record.ts";
import type { HttpRequest } from "../http/message.ts";
import type { Translate } from "../pages/messages.ts";
import type { CheckResult, Notice } from "../pages/notice.ts";

type FailedChallengeLook = Exclude<ChallengeLook, { outcome: "seen" | "not_seen" }>;

/** Why the sign-in cannot continue, with every record that was found. */
export function explain(
  t: Translate,
  look: SpRecordLook | FailedChallengeLook,
  domain: string,
): Notice {
  const records = "records" in look ? foundRecords(t, look.records) : [];
  const notice = t.explanation(`lookOutcomes-${sentenceOf(look)}`, { domain });
  const more = look.outcome === "bogus" ? detailOf(t, look) : null;
  if (more === null) return { ...notice, records };
  return { ...notice, details: [...(notice.details ?? []), more], records };
}

function detailOf(t: Translate, { cause, reason, againAt = null }: Bogus): string | null {
  switch (cause) {
    case "validation_failed":
      // The code of the verifier, or the name of the resolver's error: the person may have to pass it on.
      return t("lookOutcomes-reason", { reason: reason.replace(/:.*/s, "") });
    case "was_signed": {
      if (againAt === null) return t("lookOutcomes-notConfirmed");
      const time = new Date(againAt * 1000).toISOString().replace("T", " ").slice(0, 16);
      return t("lookOutcomes-firstConfirmed", { time: `${time} UTC` });
    }
    default:
      return null;
  }
}

function sentenceOf(look: SpRecordLook | FailedChallengeLook) {
  if (look.outcome === "own") return "own_unknown";
  if (look.outcome === "bogus" || look.outcome === "indeterminate") {
    return failureOf(look) ?? "indeterminate";
  }
  if (look.outcome === "invalid" && look.records.some(misspellsUs)) return "own_issuer";
  const isUnsupported = look.outcome === "not_permitted" && look.reason === "unsupported_dnssec";
  return isUnsupported ? look.reason : look.outcome;
}

function misspellsUs({ problems }: FoundText): boolean {
  return problems.some(({ code }) => code === "own_sp_scheme" || code === "own_sp_path");
}

/** What the answers of the servers show, or else the look itself; with each server's answer. */
export function describeCheck(
  t: Translate,
  check: { look: SpRecordLook | ChallengeLook; diagnosis: Diagnosis; domain: string },
): CheckResult {
  const { look, diagnosis, domain } = check;
  const { name, wanted, asked, wildcard, mistake } = diagnosis;
  const notice = rememberedNotice(t, look, diagnosis) ?? lookNotice(t, look, domain);
  // Servers that do not validate may still return a bogus record, but it is not accepted.
  const isBogus = look.outcome === "bogus";
  const fromServers = isBogus ? null : serversNotice(t, diagnosis, domain);
  const { summary, details = [] } = fromServers ?? notice;
  const lost = wildcard === null ? [] : [t("dnsSetup-wildcard", { domain, wildcard })];
  const pieces = (value: string) => shownValue(value, wanted);
  const isTold = fromServers !== null && mistake !== null;
  const records = notice.records?.map(({ value, problems }) => {
    // The sentence above says what is wrong.
    return {
      value: typeof value === "string" ? pieces(value) : value,
      problems: isTold ? [] : problems,
    };
  });
  const answers = asked.map((answer) => ({ ...answer, values: answer.values.map(pieces) }));
  return {
    ...{ summary, records, checkedAt: look.checkedAt },
    details: [...details, ...lost],
    servers: answers.length === 0 ? undefined : { name, answers },
  };
}

/** A record of ours, with what differs from the wanted one; any other value as it is. */
function shownValue(value: string, wanted: string | null) {
  const isCompared = wanted !== null && isOurs(value);
  return isCompared ? differenceOf(value, wanted) : [{ text: value, isDifferent: false }];
}

/** How long resolvers that were asked before the record existed still report no record. */
function rememberedNotice(
  t: Translate,
  look: SpRecordLook | ChallengeLook,
  { zone, asked }: Diagnosis,
): Notice | null {
  const isAbsent = look.outcome === "absent" || look.outcome === "not_seen";
  const absent = asked.filter(({ who, found }) => who.kind === "resolver" && found === "absent");
  const seconds = Math.max(0, ...absent.map(({ ttl }) => ttl ?? 0));
  if (!isAbsent || look.records.length > 0 || zone === "seen" || seconds === 0) return null;
  switch (zone) {
    case "unseen":
      return null;
    case "unreachable":
      return t.explanation("looks-absentRemembered", { seconds });
    case "busy":
      return t.explanation("looks-absentBusy", { seconds });
  }
}

function lookNotice(t: Translate, look: SpRecordLook | ChallengeLook, domain: string): Notice {
  switch (look.outcome) {
    case "seen":
      return t.explanation("looks-seen");
    case "absent":
    case "not_seen":
    case "own":
    case "external":
    case "disabled": {
      const records = foundRecords(t, look.records);
      const isOther = ({ problems }: FoundText) => problems.some(({ code }) => code === "not_ours");
      const isAbsent =
        look.outcome === "absent"
          ? look.records.every(isOther)
          : look.outcome === "not_seen" && records.length === 0;
      if (isAbsent) return t.explanation("looks-absent", { name: look.name });
      return { ...t.explanation("looks-otherValue", { name: look.name }), records };
    }
    default:
      return explain(t, look, domain);
  }
}

const SENTENCES = {
  cut_at_semicolon: "looks-cutAtSemicolon",
  quoted: "looks-inQuotes",
  curly_quotes: "looks-curlyQuotes",
  spaces_lost: "looks-spacesLost",
  space_inside: "looks-spaceInside",
  wrong_case: "looks-wrongCase",
  wrong_character: "looks-wrongCharacter",
  incomplete: "looks-incomplete",
  too_long: "looks-tooLong",
  own_earlier: "looks-ownEarlier",
  other_service: "looks-otherService",
  old_beside_new: "looks-oldBesideNew",
  split_in_two: "looks-splitInTwo",
} as const;

/** What the answers of the servers show: a common mistake in the zone, or that they disagree; else null. */
export function serversNotice(
  t: Translate,
  { name, mistake, asked }: Diagnosis,
  domain: string,
): Notice | null {
  switch (mistake?.kind) {
    case "at_domain":
    case "at_parent":
    case "at_www":
      return t.explanation("looks-atDomain", { domain: mistake.name, name });
    case "no_underscore":
      return t.explanation("looks-noUnderscore", { domain: mistake.name, name });
    case "doubled_name": {
      // The DNS panel appends this zone to every name.
      const zone = mistake.name.slice(name.length + 1);
      const entry = name.slice(0, -zone.length - 1);
      return t.explanation("looks-doubledName", { name: mistake.name, entry });
    }
    case "several":
      return t.explanation("lookOutcomes-ambiguous", { domain });
    case "old_value":
      return mistake.seconds === null
        ? t.explanation("looks-notCertain")
        : t.explanation("looks-oldValue", { seconds: mistake.seconds });
    case "malformed":
      return { summary: t("looks-malformed"), details: [t.recordProblem(mistake.problem)] };
    case undefined: {
      const has = (...what: string[]) => asked.some(({ found }) => what.includes(found));
      if (!has("wanted") || !has("other", "absent")) return null;
      const servers = asked.filter(
        ({ who, found }) => who.kind === "name_server" && isAnswer(found),
      );
      const have = servers.filter(({ found }) => found === "wanted").length;
      return have < servers.length
        ? t.explanation("looks-someServers", { have, all: String(servers.length) })
        : t.explanation("looks-notCertain");
    }
    default:
      return mistake ? t.explanation(SENTENCES[mistake.kind]) : null;
  }
}

function isAnswer(found: ServerFinding["found"]): boolean {
  return found === "wanted" || found === "other" || found === "absent";
}

function foundRecords({ recordProblem }: Translate, records: readonly FoundText[]) {
  return records.map(({ value, problems }) => ({ value, problems: problems.map(recordProblem) }));
}

/** The query of a page that waits for DNS after its automatic checks were stopped (WCAG 2.2.2). */
const STOPPED = "by-itself=no";

/** For the page at this address. `action` is the target of its form, and keeps the checks stopped after a check. */
export function autoCheckOf(http: HttpRequest, address: string) {
  const [path, query] = address.split("?");
  const stopped = `${path}?${STOPPED}${query === undefined ? "" : `&${query}`}`;
  return http.query === STOPPED || http.query.startsWith(`${STOPPED}&`)
    ? { autoCheck: { isOn: false, other: address }, action: stopped }
    : { autoCheck: { isOn: true, other: stopped }, action: address };
}

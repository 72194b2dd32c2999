// The verdict on a domain: one sentence that says what a look at DNS means for its owner, and what to do about it.

import type { Diagnosis } from "../dns/diagnosis.ts";
import type { FoundText } from "../dns/found-text.ts";
import type { SpRecordLook } from "../dns/sp-record.ts";
import type { PageContext } from "../pages/layout.ts";
import type { Explanation, Translate } from "../pages/messages.ts";
import { explain, serversNotice } from "./lookup-notice.ts";

/**
 * Depends on DNS alone, because strangers read it: a record of an account here and a record of nobody's account have the
 * same verdict. The summary is one sentence.
 */
export function verdictOn(context: PageContext, look: SpRecordLook, domain: string): Explanation {
  const { t } = context;
  switch (look.outcome) {
    case "own":
      return t.explanation("verdicts-own", { domain });
    case "external":
      return t.explanation("verdicts-external", { domain, sp: new URL(look.sp).host });
    case "invalid":
      return { ...explained(t, look, domain), ...invalid(context, look.records, domain) };
    case "absent":
    case "unregistered":
    case "disabled":
    case "ambiguous":
    case "unsupported":
    case "alias_invalid":
    case "not_permitted":
    case "indeterminate":
    case "bogus":
      return explained(t, look, domain);
  }
}

/** What the answers of the servers explain of the look; null if the look is certain, or they explain nothing. */
export function serversAdvice(
  t: Translate,
  look: SpRecordLook,
  { diagnosis, domain }: { readonly diagnosis: Diagnosis; readonly domain: string },
): Explanation | null {
  const isCertain = ["bogus", "not_permitted", "unregistered"].includes(look.outcome);
  const notice = isCertain ? null : serversNotice(t, diagnosis, domain);
  return notice && { summary: notice.summary, details: notice.details ?? [] };
}

function explained(t: Translate, look: SpRecordLook, domain: string): Explanation {
  const { summary, details = [] } = explain(t, look, domain);
  return { summary, details };
}

/** Names the first problem of the record, if there is one. */
function invalid({ t, lang }: PageContext, records: readonly FoundText[], domain: string) {
  const [found] = records.flatMap(({ problems }) => problems);
  if (found === undefined) return {};
  const problem = asClause(t.recordProblem(found), found.about ?? "", lang);
  return { summary: t("verdicts-invalid", { domain, problem }) };
}

/**
 * The first sentence, or its part before a colon, so that it can follow a colon. `about` is quoted in it and may contain
 * anything. After a colon, German alone begins a sentence with a capital letter.
 */
function asClause(sentence: string, about: string, lang: string): string {
  const quoted = about === "" ? -1 : sentence.indexOf(about);
  const from = quoted === -1 ? 0 : quoted + about.length;
  const end = /\s*[.:](?=\s|$)/.exec(sentence.slice(from));
  const clause = end === null ? sentence : sentence.slice(0, from + end.index);
  const isSentence = /^\p{Lu}(?!\p{Lu})/u.test(clause);
  const [first = ""] = clause;
  return isSentence && lang !== "de" ? first.toLowerCase() + clause.slice(1) : clause;
}

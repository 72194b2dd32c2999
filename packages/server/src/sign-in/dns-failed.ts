// Pages and notices for failed DNS lookups.

import type { LookFailure } from "../dns/sp-record.ts";
import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import type { RequestContext } from "../interaction/interaction.ts";
import { pagesFor } from "../interaction/pages-for.ts";
import type { Translate } from "../pages/messages.ts";
import type { CheckResult } from "../pages/notice.ts";
import { problemPage } from "../pages/problem.ts";

/** A 503 page with the cause, for steps that have no page which waits for DNS. */
export async function dnsFailed(
  { http, request }: RequestContext,
  { domain, failure }: { domain: string; failure: LookFailure },
): Promise<HttpResponse> {
  const pages = pagesFor(http, request);
  const { title } = pages.t.problem("requestProblems-temporarilyUnavailable");
  const text = { title, ...pages.t.explanation(`lookOutcomes-${failure}`, { domain }) };
  return page(503, problemPage(pages, { ...text, client: request }));
}

/**
 * Shows failed DNSSEC validation before anything else: servers that do not validate may still return
 * the record, but it is not accepted.
 */
export function bogusFirst(
  t: Translate,
  result: CheckResult,
  { domain, isBogus }: { domain: string; isBogus: boolean },
): CheckResult {
  return isBogus ? { ...result, ...t.explanation("lookOutcomes-bogus", { domain }) } : result;
}

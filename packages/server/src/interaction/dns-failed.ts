// The page of a step that cannot continue because DNS fails.

import type { LookFailure } from "../dns/sp-record.ts";
import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import { problemPage } from "../pages/problem.ts";
import type { RequestContext } from "./interaction.ts";
import { pagesFor } from "./pending-request.ts";

/** A 503 page with the cause, for steps that have no page which waits for DNS. */
export function dnsFailed(
  { http, request }: RequestContext,
  { domain, failure }: { domain: string; failure: LookFailure },
): Promise<HttpResponse> {
  const pages = pagesFor(http, request);
  const { title } = pages.t.problem("requestProblems-temporarilyUnavailable");
  const text = { title, ...pages.t.explanation(`lookOutcomes-${failure}`, { domain }) };
  return page(503, problemPage(pages, { ...text, client: request }));
}

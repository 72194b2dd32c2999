// What people are told when DNS itself fails, where nothing else that was found may speak over it.

import type { LookFailure } from "../dns/sp-record.ts";
import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import type { RequestContext } from "../interaction/interaction.ts";
import { pagesFor } from "../interaction/pages-for.ts";
import type { Messages } from "../pages/messages.ts";
import type { Look } from "../pages/notice.ts";
import { problemPage } from "../pages/problem.ts";

/** Answers with the cause for whom there is no page that could wait for DNS. */
export async function dnsFailed(
  { http, request }: RequestContext,
  { domain, failure }: { domain: string; failure: LookFailure },
): Promise<HttpResponse> {
  const pages = pagesFor(http, request);
  const { lookOutcomes, requestProblems } = pages.messages;
  const { title } = requestProblems.temporarilyUnavailable;
  const words = { title, ...lookOutcomes[failure](domain) };
  return page(503, problemPage(pages, { ...words, client: request }));
}

/**
 * Signatures that do not hold come before all else: servers that do not check them may well show
 * the record, and it counts for nothing.
 */
export function bogusFirst(
  { lookOutcomes }: Messages,
  look: Look,
  { domain, isBogus }: { domain: string; isBogus: boolean },
): Look {
  return isBogus ? { ...look, ...lookOutcomes.bogus(domain) } : look;
}

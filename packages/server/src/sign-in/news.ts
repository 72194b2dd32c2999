// The step that shows what happened to the account in other browsers, if no page of this sign-in has shown it.

import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import { advance, type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { newsPage } from "../pages/news.ts";
import { isTime } from "../sessions/unseen-news.ts";
import type { Deps, StepDeps } from "./deps.ts";

type NewsDeps = StepDeps & Pick<Deps, "unseenNews">;

/** Entries of the history are written in the background: one of another node may be missing for so long. */
const WRITTEN_WITHIN_S = 60;

export function createNews(deps: NewsDeps) {
  return { showNews, passNews };

  /** GET /interaction/:id/news */
  async function showNews(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, accountId, domain, newsFrom } = interaction;
    if (accountId === null || newsFrom === null) return advance(open, deps);
    const news = await deps.unseenNews.read({ accountId, domain }, newsFrom);
    // Its entry is no longer kept.
    if (news === null) return proceed(open, deps.clock.seconds() - WRITTEN_WITHIN_S, deps);
    const { query } = request;
    return page(
      200,
      newsPage(pagesFor(http, request), { news, action: stepPath(id, "news"), query }),
    );
  }

  /** POST /interaction/:id/news with `news_seen`, the time at which the page was made. */
  async function passNews(open: InteractionContext): Promise<HttpResponse> {
    const { http, request } = open;
    const seen = await formField(http, "news_seen", request);
    if (!isTime(seen)) throw new PageError(400, "malformedRequest", request);
    return proceed(open, Number(seen), deps);
  }
}

/** Goes on. What was not seen is shown at the next sign-in. */
async function proceed(
  { interaction, request }: InteractionContext,
  seenUntil: number,
  deps: NewsDeps,
): Promise<HttpResponse> {
  const { id, accountId, sid, newsFrom: noticesFrom } = interaction;
  if (accountId !== null && sid !== null) {
    await deps.unseenNews.recordSeen(seenUntil, { accountId, sid, noticesFrom });
  }
  const passed = await deps.interactions.passNews(id);
  return advance({ interaction: passed ?? { ...interaction, newsFrom: null }, request }, deps);
}

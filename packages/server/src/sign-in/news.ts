// The step that shows what happened to the account in other browsers, if no page of this sign-in has shown it.

import type { HttpResponse } from "../http/message.ts";
import { page } from "../http/responses.ts";
import type { Flow } from "../interaction/flow.ts";
import { type InteractionContext, type StepContext, stepPath } from "../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../interaction/pending-request.ts";
import { newsSeen } from "../interaction/progress.ts";
import type { Clock } from "../lib/clock.ts";
import { newsPage } from "../pages/account-events.ts";
import { isTime, type UnseenNews } from "../sessions/unseen-news.ts";
import { isAuthenticated } from "../store/interaction-row.ts";

export interface Deps {
  readonly flow: Flow;
  readonly unseenNews: UnseenNews;
  readonly clock: Clock;
}

/** For how long entries of another node can be missing: they are written in the background. */
const WRITTEN_WITHIN_S = 60;

export function createNews({ flow, unseenNews, clock }: Deps) {
  return { showNews, passNews };

  /** GET /interaction/:id/news */
  async function showNews(open: StepContext<"news">): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, progress } = interaction;
    const { accountId, newsFrom: since } = progress;
    const shown = since === null ? null : await unseenNews.read({ accountId, domain }, since);
    // The entry of the event is no longer kept.
    if (shown === null) return proceed(open, clock.seconds() - WRITTEN_WITHIN_S);
    const props = { news: shown, action: stepPath(id, "news"), query: request.query };
    return page(200, newsPage(pagesFor(http, request), props));
  }

  /** POST /interaction/:id/news with `news_seen`, the time at which the page was made. */
  async function passNews(open: InteractionContext): Promise<HttpResponse> {
    const { http, request } = open;
    const seen = await formField(http, "news_seen", request);
    if (!isTime(seen)) throw new PageError(400, "malformedRequest", request);
    return proceed(open, Number(seen));
  }

  /** Goes on. What was not seen is shown at the next sign-in. */
  async function proceed(open: InteractionContext, seenUntil: number): Promise<HttpResponse> {
    const { interaction } = open;
    if (isAuthenticated(interaction)) {
      const { accountId, sid, newsFrom: noticesFrom } = interaction.progress;
      await unseenNews.recordSeen(seenUntil, { accountId, sid, noticesFrom });
    }
    return flow.next({ ...open, ...(await flow.change(interaction, newsSeen)) });
  }
}

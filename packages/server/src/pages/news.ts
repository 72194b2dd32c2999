// The page that shows what happened to an account in other browsers, before a sign-in goes on.

import { html } from "hono/html";
import { type AccountNews, newsNotice } from "./account-events.ts";
import { type ClientPageContext, page } from "./layout.ts";
import { backLink, buttonForm } from "./parts.ts";
import { signOutForms } from "./sign-out.ts";

interface NewsPageProps {
  readonly news: AccountNews;
  readonly action: string;
  readonly query: string;
}

export function newsPage(context: ClientPageContext, { news, action, query }: NewsPageProps) {
  const { t, client } = context;
  const options = { kind: "primary", hidden: { news_seen: String(news.until) } };
  const body = html`${newsNotice(context, news)}
<div class="actions">
${buttonForm("news-form", action, t("continue-submit"), options)}
</div>
${signOutForms(context, [news.domain], query)}
${backLink(t, client)}`;
  return page({ ...context, step: "news", title: t("news-heading"), body });
}

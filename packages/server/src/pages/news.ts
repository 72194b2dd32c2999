// The page that shows what happened to an account in other browsers, before a sign-in goes on.

import { html } from "hono/html";
import { backLink, buttonForm } from "./client.ts";
import { type AccountNews, newsNotice } from "./continue.ts";
import { type ClientPageContext, page } from "./layout.ts";
import { signOutForms } from "./sign-out.ts";

export interface NewsPageProps {
  news: AccountNews;
  action: string;
  /** The query of the authorization request. */
  query: string;
}

export function newsPage(context: ClientPageContext, { news, action, query }: NewsPageProps) {
  const { t, client } = context;
  const title = t("news-heading");
  const seen = { news_seen: String(news.until) };
  const body = html`<h1>${title}</h1>
${newsNotice(context, news)}
<div class="actions">
${buttonForm("news-form", action, t("continue-submit"), { kind: "primary", hidden: seen })}
</div>
${signOutForms(context, { domains: [news.domain], query })}
${backLink(t, client)}`;
  return page({ ...context, step: "news", title, body });
}

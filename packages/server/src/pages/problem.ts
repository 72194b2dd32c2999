// The page that says what went wrong, how to name it to the operator, and how to get back.

import { html } from "hono/html";
import { backLink, fill, host } from "./client.ts";
import { type PageContext, type PageHtml, page, type ShownClient } from "./layout.ts";
import { detailList } from "./notice.ts";

export type ProblemPageProps = {
  title: string;
  summary: string;
  details?: readonly string[] | undefined;
  /** As it stands in the log. */
  errorId?: string | undefined;
  /** Only with a proven redirect_uri. */
  client?: Pick<ShownClient, "backToApp" | "clientHost"> | undefined;
};

export function problemPage(context: PageContext, props: ProblemPageProps): PageHtml {
  const { messages } = context;
  const { client } = props;
  const words = messages.problem;
  const body = html`<h1>${props.title}</h1>
<p class="lead">${props.summary}</p>
${detailList(props.details)}
${client === undefined ? "" : html`<p>${fill(words.client, host(client.clientHost))}</p>`}
${props.errorId === undefined ? "" : html`<p class="error-id">${words.errorId} <code id="error-id">${props.errorId}</code></p>`}
${client === undefined ? "" : backLink(messages, { backToApp: client.backToApp })}`;
  return page({ ...context, step: "problem", title: props.title, body });
}

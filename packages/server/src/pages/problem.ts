// The page that says what went wrong, how to name it to the operator, and how to get back.

import { html } from "hono/html";
import { backLink, fill, host } from "./client.ts";
import { type PageContext, type PageHtml, page } from "./layout.ts";
import { detailList } from "./notice.ts";

export type ProblemPageProps = {
  title: string;
  summary: string;
  details?: readonly string[] | undefined;
  /** As it stands in the log. */
  errorId?: string | undefined;
  /** Only with a proven redirect_uri or the client's own address. */
  backToApp?: string | undefined;
  /** Its verified host, in A-labels. */
  clientHost?: string | undefined;
};

export function problemPage(context: PageContext, props: ProblemPageProps): PageHtml {
  const { messages } = context;
  const words = messages.problem;
  const body = html`<h1>${props.title}</h1>
<p class="lead">${props.summary}</p>
${detailList(props.details)}
${props.clientHost === undefined ? "" : html`<p>${fill(words.client, host(props.clientHost))}</p>`}
${props.errorId === undefined ? "" : html`<p class="error-id">${words.errorId} <code id="error-id">${props.errorId}</code></p>`}
${backLink(messages, props)}`;
  return page({ ...context, step: "problem", title: props.title, body });
}

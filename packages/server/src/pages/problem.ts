// The page that explains a problem, with an error ID for the operator and the link back to the client.

import { html } from "hono/html";
import { type PageContext, page, type WayToClient } from "./layout.ts";
import type { PageHtml, ProblemText } from "./messages.ts";
import { backToApp, errorIdLine, host, paragraphs, wayBack } from "./parts.ts";

export interface ProblemPageProps extends ProblemText {
  readonly errorId?: string | undefined;
  /** Only with a proven redirect_uri. */
  readonly client?: WayToClient | undefined;
  /** Whether it is about a change of the account, to whose page it leads back. */
  readonly isOfAccount?: boolean;
}

export function problemPage(context: PageContext, props: ProblemPageProps) {
  const { t } = context;
  const { client, title, summary, errorId } = props;
  return context.fill(render, {
    title,
    summary,
    details: paragraphs(props.details),
    client:
      client === undefined
        ? ""
        : html`<p>${t.html("problem-client", { host: host(client.clientHost) })}</p>`,
    errorId: errorId === undefined ? "" : errorIdLine(t, errorId),
    back: client === undefined ? "" : backToApp(client.backToApp, t("common-backToApp")),
    account: props.isOfAccount ? wayBack("account", "/account", t("newPasskey-back")) : "",
  });
}

interface ProblemValues {
  readonly title: string;
  readonly summary: string;
  readonly details: PageHtml;
  readonly client: string | PageHtml;
  readonly errorId: string | PageHtml;
  readonly back: string | PageHtml;
  readonly account: string | PageHtml;
}

function render(context: PageContext, shown: ProblemValues): PageHtml {
  const body = html`<p class="lead">${shown.summary}</p>
${shown.details}
${shown.client}
${shown.errorId}
${shown.back}
${shown.account}`;
  return page({ ...context, step: "problem", title: shown.title, body });
}

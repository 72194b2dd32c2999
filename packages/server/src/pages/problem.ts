// The page that explains a problem, with an error ID for the operator and the link back to the client.

import { html } from "hono/html";
import { type PageContext, page, type WayToClient } from "./layout.ts";
import type { ProblemText } from "./messages.ts";
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
  const { client, title, errorId } = props;
  const body = html`<p class="lead">${props.summary}</p>
${paragraphs(props.details)}
${client === undefined ? "" : html`<p>${t.html("problem-client", { host: host(client.clientHost) })}</p>`}
${errorId === undefined ? "" : errorIdLine(t, errorId)}
${client === undefined ? "" : backToApp(client.backToApp, t("common-backToApp"))}
${props.isOfAccount ? wayBack("account", "/account", t("newPasskey-back")) : ""}`;
  return page({ ...context, step: "problem", title, body });
}

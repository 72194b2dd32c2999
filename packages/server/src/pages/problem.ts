// The page that explains a problem, with an error ID for the operator and the link back to the client.

import { html } from "hono/html";
import { backLink, host } from "./client.ts";
import { type PageContext, page, type ShownClient } from "./layout.ts";
import type { Problem } from "./messages.ts";
import { detailList } from "./notice.ts";

export interface ProblemPageProps extends Problem {
  /** The same as in the log. */
  errorId?: string | undefined;
  /** Only with a proven redirect_uri. */
  client?: Pick<ShownClient, "backToApp" | "clientHost"> | undefined;
  /** Whether it is about a change of the account, to whose page it leads back. */
  isOfAccount?: boolean;
}

export function problemPage(context: PageContext, props: ProblemPageProps) {
  const { t } = context;
  const { client, isOfAccount = false } = props;
  const body = html`<h1>${props.title}</h1>
<p class="lead">${props.summary}</p>
${detailList(props.details)}
${client === undefined ? "" : html`<p>${t.html("problem-client", { host: host(client.clientHost) })}</p>`}
${props.errorId === undefined ? "" : html`<p class="error-id">${t("problem-errorId")} <code id="error-id">${props.errorId}</code></p>`}
${client === undefined ? "" : backLink(t, { backToApp: client.backToApp })}
${isOfAccount ? html`<p class="way-back"><a id="account" class="entry" href="/account">${t("newPasskey-back")}</a></p>` : ""}`;
  return page({ ...context, step: "problem", title: props.title, body });
}

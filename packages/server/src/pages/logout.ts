// The page that asks whether to sign out, because an app wants it, and the one that has nothing to ask.

import { html } from "hono/html";
import { clientName, domainName, host } from "./client.ts";
import { type PageContext, page } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { everywhereLinks, otherAccounts } from "./sign-out.ts";

export interface LogoutPageProps {
  /** Those that are signed in in this browser and would be signed out. */
  readonly domains: readonly string[];
  /** The URL to which the decision is posted. */
  readonly action: string;
  /** The app that asks; null if it is not known. `host` is that of its return address, if it has one. */
  readonly client: { readonly name: string; readonly host: string | null } | null;
}

export function logoutPage(context: PageContext, props: LogoutPageProps) {
  const { t } = context;
  const { action } = props;
  // A former account of a domain can be signed in together with the present one.
  const domains = [...new Set(props.domains)];
  const [domain = ""] = domains;
  const isOne = domains.length === 1;
  const heading = isOne
    ? t.html("logout-heading", { domain: domainName(domain) })
    : t("logout-headingAll");
  const list = domains.map((one) => html`<li>${domainName(one)}</li>`);
  const body = html`<h1>${heading}</h1>
${asker(context, props)}
${isOne ? "" : html`<ul class="entries">${list}</ul>`}
<p>${t("signOut-effect")}</p>
<form id="logout-form" method="post" action="${action}" class="choices">
<button class="button" name="decision" value="sign-out">${t("signOut-title")}</button>
<button class="button" name="decision" value="stay">${t("logout-stay")}</button>
</form>
${everywhereLinks(context, domains)}`;
  const title = isOne ? t("logout-heading", { domain }) : t("logout-headingAll");
  return page({ ...context, step: "logout", title, body });
}

function asker({ t }: PageContext, { client }: Pick<LogoutPageProps, "client">): PageHtml {
  if (client === null) return html`<p class="lead">${t("logout-unknownClient")}</p>`;
  const name = clientName(client.name);
  return client.host === null
    ? html`<p class="lead">${t.html("logout-client", { client: name })}</p>`
    : html`<p class="lead">${t.html("logout-clientAt", { client: name, host: host(client.host) })}</p>`;
}

/** Nobody is signed in here whom the request could sign out; `others` are, if they are. */
export function nothingToEndPage(
  context: PageContext,
  {
    client,
    backToApp,
    others,
  }: Pick<LogoutPageProps, "client"> & {
    readonly backToApp: string | null;
    readonly others: boolean;
  },
) {
  const { t } = context;
  const shownHost = client?.host ?? null;
  const back =
    backToApp === null || shownHost === null
      ? ""
      : html`<p class="way-back"><a id="back-to-app" href="${backToApp}">${t.html("logout-backTo", { host: host(shownHost) })}</a></p>`;
  const title = t(others ? "logout-notSignedIn" : "account-signedOut");
  const body = html`<h1>${title}</h1>
${others ? otherAccounts(t) : html`<p class="lead">${t("account-signedOutLead")}</p>`}
${back}`;
  return page({ ...context, step: "logout", title, body });
}

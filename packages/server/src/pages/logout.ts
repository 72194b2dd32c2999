// The page that asks whether to sign out, because an app wants it, and the one that has nothing to ask.

import { html } from "hono/html";
import { type PageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { backToApp, clientName, domainName, domainTitle, host } from "./parts.ts";
import { everywhereLinks, otherAccounts } from "./sign-out.ts";

/** The app that asks. `host` is that of its return address, if it has one. */
interface AskingClient {
  readonly name: string;
  readonly host: string | null;
}

interface LogoutPageProps {
  /** Those that are signed in in this browser and would be signed out. */
  readonly domains: readonly string[];
  readonly action: string;
  readonly client: AskingClient | null;
}

export function logoutPage(context: PageContext, props: LogoutPageProps) {
  const { t } = context;
  // A former account of a domain can be signed in together with the present one.
  const domains = [...new Set(props.domains)];
  const isOne = domains.length === 1;
  const list = domains.map((one) => html`<li>${domainName(one)}</li>`);
  const body = html`${askingClient(t, props.client)}
${isOne ? "" : html`<ul class="entries">${list}</ul>`}
<p>${t("signOut-effect")}</p>
<form id="logout-form" method="post" action="${props.action}" class="choices">
<button class="button" name="decision" value="sign-out">${t("signOut-title")}</button>
<button class="button" name="decision" value="stay">${t("logout-stay")}</button>
</form>
${everywhereLinks(context, domains)}`;
  const titles = isOne
    ? domainTitle(t, "logout-heading", domains[0] ?? "")
    : { title: t("logout-headingAll") };
  return page({ ...context, ...titles, step: "logout", body });
}

function askingClient(t: Translate, client: AskingClient | null): PageHtml {
  if (client === null) return html`<p class="lead">${t("logout-unknownClient")}</p>`;
  const name = clientName(client.name);
  const text =
    client.host === null
      ? t.html("logout-client", { client: name })
      : t.html("logout-clientAt", { client: name, host: host(client.host) });
  return html`<p class="lead">${text}</p>`;
}

interface NothingToEndPageProps {
  readonly client: AskingClient | null;
  readonly backToApp: string | null;
  /** Whether accounts are signed in that the request cannot sign out. */
  readonly others: boolean;
}

/** For a request that could sign out none of the accounts in this browser. */
export function nothingToEndPage(context: PageContext, props: NothingToEndPageProps) {
  const { t } = context;
  const { client, others } = props;
  const shownHost = client?.host ?? null;
  const back =
    props.backToApp === null || shownHost === null
      ? ""
      : backToApp(props.backToApp, t.html("logout-backTo", { host: host(shownHost) }));
  const body = html`${others ? otherAccounts(t) : html`<p class="lead">${t("account-signedOutLead")}</p>`}
${back}`;
  const title = t(others ? "logout-notSignedIn" : "account-signedOut");
  return page({ ...context, step: "logout", title, body });
}

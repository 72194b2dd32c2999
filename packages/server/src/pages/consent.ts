// The page where the owner of a domain allows or denies a client's request.

import { html } from "hono/html";
import { appNote, clientName, domainName, host } from "./client.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { NameIn, PageHtml, Translate } from "./messages.ts";
import { signOutForms } from "./sign-out.ts";

export interface ConsentPageProps {
  domain: string;
  scopes: readonly string[];
  action: string;
  /** The query of the authorization request. */
  query: string;
}

export function consentPage(context: ClientPageContext, props: ConsentPageProps) {
  const { t, client } = context;
  const body = html`<h1>${t.html("consent-heading", { client: clientName(client.clientName) })}</h1>
<dl class="parties">
<div><dt>${t("consent-sentTo")}</dt><dd class="party-host">${host(client.clientHost)}</dd></div>
<div><dt>${t("consent-shared")}</dt><dd>${domainName(props.domain)}</dd></div>
</dl>
${appNote(context)}
<section aria-labelledby="scopes-title">
<h2 id="scopes-title">${t("consent-scopesTitle")}</h2>
<ul class="scopes">${props.scopes.map((scope) => html`<li>${scopeText(t, scope)}</li>`)}</ul>
</section>
<form id="consent-form" method="post" action="${props.action}" class="choices">
<button class="button" name="decision" value="allow">${t("consent-allow")}</button>
<button class="button" name="decision" value="deny">${t("consent-deny")}</button>
</form>
<p class="hint">${t.html("consent-caution", { host: host(client.clientHost) })}</p>
${signOutForms(context, { domains: [props.domain], query: props.query })}`;
  const title = t("consent-heading", { client: client.clientName });
  return page({ ...context, step: "consent", title, body });
}

/** The messages of the scopes. The compiler requires an entry for each. */
const SCOPES: Readonly<Record<NameIn<"scopes">, true>> = {
  openid: true,
  profile: true,
  offline_access: true,
};

/** What a scope allows; its name if it has no description. */
function scopeText(t: Translate, scope: string): string | PageHtml {
  return isDescribed(scope) ? t(`scopes-${scope}`) : html`<code>${scope}</code>`;
}

function isDescribed(scope: string): scope is keyof typeof SCOPES {
  return Object.hasOwn(SCOPES, scope);
}

// The page where the owner of a domain allows or denies a client's request.

import { html } from "hono/html";
import { type ClientPageContext, type OwnerPageProps, type PageContext, page } from "./layout.ts";
import type { NameIn, PageHtml, Translate } from "./messages.ts";
import { appNote, clientName, domainName, host, section } from "./parts.ts";
import { signOutForms } from "./sign-out.ts";

/** An API that the client asks an access token for. */
export interface ShownResource {
  readonly uri: string;
  /** Null if only its document is known. */
  readonly name: string | null;
  /** `description` is in the words of the operator; null if only a document names the scope. */
  readonly scopes: readonly { readonly name: string; readonly description: string | null }[];
}

interface ConsentPageProps extends OwnerPageProps {
  readonly scopes: readonly string[];
  readonly resources: readonly ShownResource[];
  readonly action: string;
}

export function consentPage(context: ClientPageContext, props: ConsentPageProps) {
  const { t, client } = context;
  const { domain, query, action, scopes, resources } = props;
  return context.fill(render, {
    clientName: client.clientName,
    clientHost: client.clientHost,
    action,
    domain: domainName(domain),
    appNote: appNote(context),
    scopes: serviceScopes(t, scopes),
    resources: html`${resources.map((resource, index) => resourceScopes(t, resource, index))}`,
    signOut: signOutForms(context, [domain], query),
  });
}

interface ConsentValues {
  readonly clientName: string;
  readonly clientHost: string;
  readonly action: string;
  readonly domain: PageHtml;
  readonly appNote: PageHtml;
  readonly scopes: PageHtml;
  readonly resources: PageHtml;
  readonly signOut: PageHtml;
}

function render(context: PageContext, shown: ConsentValues): PageHtml {
  const { t } = context;
  const known = { host: host(shown.clientHost), domain: shown.domain };
  const body = html`<p class="lead">${t.html("consent-known", known)}</p>
${shown.appNote}
${shown.scopes}
${shown.resources}
<form id="consent-form" method="post" action="${shown.action}" class="actions">
<button class="button primary" name="decision" value="allow">${t("consent-allow")}</button>
<button class="button" name="decision" value="deny">${t("consent-deny")}</button>
</form>
${shown.signOut}`;
  const title = t("consent-heading", { client: shown.clientName });
  const heading = t.html("consent-heading", { client: clientName(shown.clientName) });
  return page({ ...context, step: "consent", title, heading, body });
}

/** The sentence about the domain says what `openid` means. */
function serviceScopes(t: Translate, scopes: readonly string[]): PageHtml {
  const more = scopes.filter((scope) => scope !== "openid");
  if (more.length === 0) return html``;
  const list = more.map((scope) => html`<li>${scopeText(t, scope)}</li>`);
  return section("scopes", t("consent-scopesTitle"), html`<ul class="scopes">${list}</ul>`);
}

function resourceScopes(t: Translate, resource: ShownResource, index: number): PageHtml {
  const { uri, name, scopes } = resource;
  const at = host(new URL(uri).host);
  const label = name === null ? at : html`<bdi class="client">${name}</bdi> (${at})`;
  const entries = scopes.map(({ name: scope, description }) =>
    description === null
      ? html`<li><code>${scope}</code></li>`
      : html`<li><bdi>${description}</bdi></li>`,
  );
  const id = `resource-${index + 1}`;
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${t.html("consent-resource", { resource: label })}</h2>
<ul class="scopes">${entries.length > 0 ? entries : html`<li>${t("consent-resourceUse")}</li>`}</ul>
</section>`;
}

/** The scopes that messages describe. The compiler requires an entry for each. */
const SCOPES: Readonly<Record<NameIn<"scopes">, true>> = {
  openid: true,
  profile: true,
  offline_access: true,
};

/** What the scope lets a client do, in words if there are any. */
export function scopeText(t: Translate, scope: string): string | PageHtml {
  return isDescribed(scope) ? t(`scopes-${scope}`) : html`<code>${scope}</code>`;
}

function isDescribed(scope: string): scope is keyof typeof SCOPES {
  return Object.hasOwn(SCOPES, scope);
}

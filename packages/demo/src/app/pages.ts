// The sign-in pages of the demo's app.

import { html } from "hono/html";
import { shortenJson } from "../shorten.ts";
import type { SignedIn } from "./client.ts";
import { layout, type PageHtml } from "./layout.ts";

/** The outcome of the last button. */
export type Outcome =
  | { readonly heading: string; readonly answer: unknown }
  | { readonly heading: string; readonly failure: string };

export interface DomainToTry {
  readonly domain: string;
  /** The host of the SP, if the record names another than the app's own service. */
  readonly otherSp: string | undefined;
}

export function signedOutPage({
  issuer,
  domains,
  otherApp,
}: {
  issuer: string;
  domains: readonly DomainToTry[];
  otherApp: string;
}): PageHtml {
  const body = html`<h1>You are not signed in</h1>
<p class="lead">This small app has no passwords and no accounts of its own. The service at <strong>${new URL(issuer).host}</strong> confirms which domain is yours.</p>
<form id="sign-in-form" method="get" action="/login">
<button class="button primary">Sign in with your domain</button>
</form>
<section aria-labelledby="domains-title">
<h2 id="domains-title">Domains to try</h2>
<ul class="plain">${domains.map(domainItem)}</ul>
<p class="hint">These domains exist only in this demo. When the service shows you a record to publish, add it in the <a href="/zone">zone editor</a>, with its full name.</p>
<p class="hint">The <a href="${otherApp}/">other app</a> of this demo uses another service. A domain that is set up there can also sign in here, because its record names that service.</p>
</section>`;
  return layout({ title: "Not signed in", step: "signed-out", at: "/", body });
}

function domainItem({ domain, otherSp }: DomainToTry): PageHtml {
  if (otherSp === undefined) return html`<li><code>${domain}</code></li>`;
  return html`<li><code>${domain}</code> signs in through its SP at <strong>${otherSp}</strong>, as its record says.</li>`;
}

export function signedInPage({
  signedIn,
  outcome,
}: {
  signedIn: SignedIn;
  outcome: Outcome | undefined;
}): PageHtml {
  const { domain, sub, tokens } = signedIn;
  const body = html`<h1>Signed in as <span class="domain" id="domain">${domain}</span></h1>
<dl class="facts">
<div><dt>Subject: identifies the account until the domain changes hands</dt><dd><code id="sub">${sub}</code></dd></div>
</dl>
${outcome === undefined ? "" : outcomeBox(outcome)}
<section aria-labelledby="tokens-title">
<h2 id="tokens-title">Last token response</h2>
<pre id="token-response">${shortenJson(tokens)}</pre>
<p class="hint">Only the beginning and end of each token are shown.</p>
</section>
<div class="actions">
<form id="refresh-form" method="post" action="/refresh"><button class="button">Refresh tokens</button></form>
<form id="userinfo-form" method="post" action="/userinfo"><button class="button">Call userinfo</button></form>
<form id="sign-out-form" method="post" action="/sign-out"><button class="button">Sign out of this app</button></form>
</div>`;
  return layout({ title: `Signed in as ${domain}`, step: "signed-in", at: "/", body });
}

/** A sign-in that failed. */
export function failurePage(heading: string, explanation: string): PageHtml {
  const body = html`<h1>${heading}</h1>
<p class="lead" id="failure">${explanation}</p>
<p class="back"><a id="back" href="/">Back to the start</a></p>`;
  return layout({ title: heading, step: "failure", at: "/", body });
}

function outcomeBox(outcome: Outcome): PageHtml {
  const failed = "failure" in outcome;
  return html`<section class="${failed ? "outcome failed" : "outcome"}" role="status" aria-labelledby="outcome-title">
<h2 id="outcome-title">${outcome.heading}</h2>
${
  failed
    ? html`<p id="outcome">${outcome.failure}</p>`
    : html`<pre id="outcome">${shortenJson(outcome.answer)}</pre>`
}
</section>`;
}

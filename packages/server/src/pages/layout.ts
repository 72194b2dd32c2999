// The HTML document around the body of every page.

import { html } from "hono/html";
import { iconPath, scriptPath, stylePath } from "./assets.ts";
import type { Language, PageHtml, Translate } from "./messages.ts";
import type { Fill } from "./template.ts";

export interface PageContext extends Language {
  readonly t: Translate;
  /** For pages that many people see: renders once what is the same for all of them. */
  readonly fill: Fill<PageContext>;
}

/** How a page leads back to a client without signing in. */
export interface WayToClient {
  /** The host of the proven redirect_uri, in A-labels. */
  readonly clientHost: string;
  readonly backToApp: string;
}

export interface ShownClient extends WayToClient {
  readonly clientName: string;
  /** If the client is itself a sign-in service: the host of its own client, as claimed by the client. */
  readonly finalHost?: string | undefined;
}

/** The context of a page for an authorization request with a verified redirect_uri. */
export interface ClientPageContext extends PageContext {
  readonly client: ShownClient;
}

// In the props of all pages, `action` and `…Action` are URLs to which forms are posted, and `query` is that of the
// authorization request.

/** What each page has that recognizes the owner of an account, and offers to sign out. */
export interface OwnerPageProps {
  readonly domain: string;
  readonly query: string;
}

/** The names of the pages; scripts and tests read them from `<body data-step>`. */
export type PageStep =
  | "home"
  | "check"
  | "domain"
  | "continue"
  | "set-up-passkey"
  | "dns-setup"
  | "earlier-set-ups"
  | "recovery-codes"
  | "former-record"
  | "hand-on"
  | "set-up-link"
  | "passkey"
  | "new-passkey"
  | "dns-challenge"
  | "external"
  | "news"
  | "consent"
  | "account"
  | "logout"
  | "account-change"
  | "problem";

export interface PageProps extends PageContext {
  step: PageStep;
  /** In the title bar, before the name of the service. */
  title: string;
  /** The heading of the first level; without it, the title. */
  heading?: PageHtml;
  /** Whether the title begins with the word for a problem. */
  isProblem?: boolean;
  script?: string;
  /** Whether the page checks DNS by itself: its script does; without script, it is reloaded. */
  isWaiting?: boolean;
  /** Where a browser without script goes on. */
  withoutScript?: string;
  /** The place of the page in a set-up. */
  setUpStep?: 1 | 2 | 3;
  /** Whether the script of a page that waits for the record shows this page in its place. */
  isFound?: boolean;
  body: PageHtml;
}

/** How often the script of a page that waits for DNS checks, while somebody looks at the page. */
export const CHECK_INTERVAL_S = 3;
/** The same for a page in the background, for one that has waited for long, and without script. */
export const SLOW_CHECK_INTERVAL_S = 15;
const SET_UP_STEPS = [1, 2, 3] as const;

/** Renders the document. It loads only what a policy of `default-src 'none'` plus `'self'` allows. */
export function page(props: PageProps): PageHtml {
  const { step, lang, dir, t, heading = props.title, script, body } = props;
  const title = props.isProblem ? t("common-problemTitle", { title: props.title }) : props.title;
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<title>${dir === "rtl" ? `\u2068${title}\u2069` : title} · ${t("common-serviceName")}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${iconPath}" type="image/svg+xml">
<link rel="stylesheet" href="${stylePath}">
<script src="${scriptPath}" defer></script>${withoutScript(props)}${script === undefined ? "" : html`\n<script src="${script}" defer></script>`}
</head>
<body data-step="${step}">
<header><p class="wordmark">${t("common-serviceName")}</p>${steps(props)}</header>
<main${props.isFound ? html` data-found` : ""}>
<h1>${heading}</h1>
${body}
</main>
<p id="copy-status" class="visually-hidden" role="status" data-copied="${t("common-copied")}"></p>
</body>
</html>`;
}

function withoutScript({ isWaiting, withoutScript: url }: PageProps): PageHtml {
  const refresh = isWaiting ? String(SLOW_CHECK_INTERVAL_S) : url && `0; url=${url}`;
  if (!refresh) return html``;
  return html`\n<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>`;
}

function steps({ t, setUpStep: at }: PageProps): PageHtml {
  if (at === undefined) return html``;
  const bars = SET_UP_STEPS.map((step) => html`<i${step > at ? "" : html` class="done"`}></i>`);
  const text = t("common-step", { step: String(at), steps: String(SET_UP_STEPS.length) });
  return html`<p class="steps"><span aria-hidden="true">${bars}</span> ${text}</p>`;
}

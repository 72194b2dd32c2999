// The HTML document that every page stands in.

import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { iconPath, scriptPath, stylePath } from "./assets.ts";
import type { Messages } from "./messages.ts";

/** What every page needs to know about its reader: the catalogue, its BCP 47 tag, and where its lines begin. */
export interface PageContext {
  readonly messages: Messages;
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
}

/** The client, as far as a page names it and leads back to it. */
export interface ShownClient {
  readonly clientName: string;
  /** The host of the proven redirect_uri, in A-labels. */
  readonly clientHost: string;
  /** The host of the app that a client which is a service itself signs people in to. Only the client says so. */
  readonly finalHost?: string | undefined;
  /** The way back to the client without signing in: its redirect_uri with `access_denied`. */
  readonly backToApp: string;
}

/** For a page that belongs to an authorization request with a proven redirect_uri. */
export interface ClientPageContext extends PageContext {
  readonly client: ShownClient;
}

/** A rendered page or a part of one; hono makes it a promise only if a part of it is one. */
export type PageHtml = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The names of the pages, as scripts and tests find them in `<body data-step>`. */
export type PageStep =
  | "domain"
  | "continue"
  | "dns-setup"
  | "dns-challenge"
  | "external"
  | "consent"
  | "problem";

export type PageProps = PageContext & {
  step: PageStep;
  /** Shown in the title bar, before the name of the service. */
  title: string;
  body: PageHtml;
};

/** The full document around `body`; everything it refers to is allowed by `default-src 'none'` plus `'self'`. */
export function page({ step, title, lang, dir, messages, body }: PageProps): PageHtml {
  return html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<head>
<meta charset="utf-8">
<title>${dir === "rtl" ? `\u2068${title}\u2069` : title} · ${messages.common.serviceName}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${iconPath}" type="image/svg+xml">
<link rel="stylesheet" href="${stylePath}">
<script src="${scriptPath}" defer></script>
</head>
<body data-step="${step}">
<header><p class="wordmark">${messages.common.serviceName}</p></header>
<main>
${body}
</main>
<p id="copy-status" class="visually-hidden" role="status" data-copied="${messages.common.copied}"></p>
</body>
</html>`;
}

// The HTML document around every page of the demo's app.

import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** hono returns a promise only if one of the values is a promise. */
export type PageHtml = HtmlEscapedString | Promise<HtmlEscapedString>;

const NAVIGATION = [
  { path: "/", name: "App" },
  { path: "/zone", name: "Zone editor" },
];

export function layout({
  title,
  step,
  at,
  body,
}: {
  title: string;
  step: string;
  /** The current entry of the navigation. */
  at: "/" | "/zone";
  body: PageHtml;
}): PageHtml {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Demo app</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
</head>
<body data-step="${step}">
<header>
<p class="name">Demo app</p>
<nav aria-label="Pages">${NAVIGATION.map(
    ({ path, name }) =>
      html`<a href="${path}"${path === at ? html` aria-current="page"` : ""}>${name}</a>`,
  )}</nav>
</header>
<main>
${body}
</main>
</body>
</html>`;
}

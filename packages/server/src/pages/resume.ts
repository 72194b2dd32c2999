// The buttons that resume a setup which this browser began earlier.

import { html } from "hono/html";
import { buttonForm } from "./client.ts";
import type { PageHtml, Translate } from "./messages.ts";

export interface EarlierSetUp {
  /** Tells it from the others of this browser. */
  key: string;
  /** When it began, in words. */
  date: string;
  /** The name of the client for which it began; undefined for one that began before the names were kept. */
  client: string | undefined;
}

export function resumeForms(
  t: Translate,
  {
    earlier,
    resumeAction,
  }: { readonly earlier: readonly EarlierSetUp[]; readonly resumeAction: string },
): PageHtml {
  if (earlier.length === 0) return html``;
  return html`<div class="actions">${earlier.map(({ key, date, client }, index) =>
    buttonForm(
      `resume-${index + 1}-form`,
      resumeAction,
      client === undefined
        ? t("dnsSetup-resume", { date })
        : t("dnsSetup-resumeFor", { date, client }),
      { hidden: { set_up: key } },
    ),
  )}</div>`;
}

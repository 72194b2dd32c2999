// The page that hands a set-up on: a link for whoever manages the DNS, as text, as a QR code and in an e-mail.

import { html } from "hono/html";
import { shownDate } from "./dates.ts";
import { displayDomain } from "./domain-display.ts";
import { type ClientPageContext, page } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { backLink, domainTitle } from "./parts.ts";
import { copyButton } from "./record.ts";

interface HandOnPageProps {
  readonly domain: string;
  readonly link: string;
  /** The rows of the QR code of the link; true is dark. */
  readonly qr: readonly (readonly boolean[])[];
  readonly issuerHost: string;
  /** When the link ends, in epoch seconds. */
  readonly until: number;
  readonly back: string;
}

export function handOnPage(context: ClientPageContext, props: HandOnPageProps) {
  const { t, client, lang } = context;
  const { domain, link } = props;
  const date = shownDate(lang, props.until);
  const body = html`<p class="lead">${t("handOn-lead")}</p>
<dl class="record">
<div class="stacked"><dt>${t("handOn-linkUntil", { date })}</dt><dd><span dir="ltr" translate="no"><code id="set-up-link">${link}</code></span>${copyButton(t, "set-up-link", t("handOn-link"))}</dd></div>
</dl>
<p class="actions"><a class="button" id="open-mail" href="${mailto(t, date, props)}">${t("handOn-openMail")}</a></p>
<details id="qr">
<summary>${t("handOn-qr")}</summary>
${qrCode(props.qr, t("handOn-qr"))}
</details>
<p class="hint">${t("handOn-again")}</p>
<p class="elsewhere"><a id="to-setup" href="${props.back}">${t("handOn-back")}</a></p>
${backLink(t, client)}`;
  return page({ ...context, ...domainTitle(t, "handOn-heading", domain), step: "hand-on", body });
}

/** Opens an e-mail for whoever manages the DNS in a mail program. */
function mailto(t: Translate, date: string, props: HandOnPageProps): string {
  const domain = displayDomain(props.domain).shown;
  const lines = [
    t("handOn-mailAsk", { domain, date }),
    props.link,
    t("handOn-mailWarning", { domain, issuer: props.issuerHost }),
  ];
  const subject = t("handOn-mailSubject", { domain });
  const query = new URLSearchParams({ subject, body: lines.join("\n\n") });
  // Mail programs show a plus sign as it is.
  return `mailto:?${query.toString().replaceAll("+", "%20")}`;
}

/** Dark on light in every colour scheme, because cameras expect it. Each run of a row is one stroke. */
function qrCode(rows: HandOnPageProps["qr"], label: string): PageHtml {
  const size = String(rows.length);
  const strokes = rows.map((row, y) => {
    let path = `M0 ${y}.5`;
    let end = 0;
    for (let x = 0; x < row.length; x++) {
      const from = x;
      while (row[x]) x++;
      if (x === from) continue;
      path += `m${from - end} 0h${x - from}`;
      end = x;
    }
    return path;
  });
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path stroke="#000" d="${strokes.join("")}"/></svg>`;
}

// The page of the zone editor: the records of each domain, and a form to add one.

import { html } from "hono/html";
import type { ZoneRecord } from "../zones/zone.ts";
import { layout, type PageHtml } from "./layout.ts";

/** The fields of the form, as entered. */
export interface TypedRecord {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: string;
}

export const emptyRecord: TypedRecord = { name: "", type: "TXT", value: "", ttl: "300" };

export function zonePage(props: {
  domains: readonly string[];
  records: readonly ZoneRecord[];
  /** "ip:port" of the name server. */
  address: string;
  typed: TypedRecord;
  mistake: string | undefined;
}): PageHtml {
  const { domains, records, address } = props;
  const [ip, port] = address.split(":");
  const body = html`<h1>Zone editor</h1>
<p class="lead">This page takes the place of your DNS provider's control panel. Changes take effect immediately.</p>
${addForm(props)}
<section aria-labelledby="records-title">
<h2 id="records-title">Records</h2>
${domains.map((domain) => zoneOf(domain, records))}
<p class="hint">Query the name server: <code>dig @${ip} -p ${port} TXT _domain-signin.${domains[0] ?? ""}</code></p>
</section>`;
  return layout({ title: "Zone editor", step: "zone", at: "/zone", body });
}

function addForm({ typed, mistake, domains }: Parameters<typeof zonePage>[0]): PageHtml {
  return html`<section aria-labelledby="add-title">
<h2 id="add-title">Add a record</h2>
${mistake === undefined ? "" : html`<p class="mistake" id="mistake" role="alert">${mistake}</p>`}
<form id="add-form" method="post" action="/zone" class="fields">
<div class="wide"><label for="name">Full name, including the domain</label>
<input id="name" name="name" value="${typed.name}" placeholder="_domain-signin.${domains[0] ?? ""}" required autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false"${mistake === undefined ? "" : html` aria-describedby="mistake"`}></div>
<div><label for="type">Type</label>
<select id="type" name="type">${["TXT", "CNAME"].map(
    (type) => html`<option${type === typed.type ? html` selected` : ""}>${type}</option>`,
  )}</select></div>
<div><label for="ttl">TTL in seconds</label>
<input id="ttl" name="ttl" value="${typed.ttl}" required inputmode="numeric" autocomplete="off"></div>
<div class="wide"><label for="value">Value</label>
<input id="value" name="value" value="${typed.value}" required autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false"></div>
<div class="wide"><button class="button primary" name="change" value="add">Add record</button></div>
</form>
</section>`;
}

function zoneOf(domain: string, records: readonly ZoneRecord[]): PageHtml {
  const own = records
    .map((record, index) => ({ record, index }))
    .filter(({ record: { name } }) => name === domain || name.endsWith(`.${domain}`));
  return html`<section class="zone" aria-label="${domain}">
<h3>${domain}</h3>
${
  own.length === 0
    ? html`<p class="none">No records.</p>`
    : html`<ul class="records">${own.map(({ record, index }) => recordItem(record, index))}</ul>`
}
</section>`;
}

function recordItem({ name, type, value, ttl }: ZoneRecord, index: number): PageHtml {
  return html`<li>
<p class="record-name"><code>${name}</code> <span class="quiet">${type}, TTL ${ttl}</span></p>
<p class="record-value"><code>${value}</code></p>
<form id="delete-form-${index}" method="post" action="/zone">
<input type="hidden" name="name" value="${name}">
<input type="hidden" name="type" value="${type}">
<input type="hidden" name="value" value="${value}">
<button class="button small" name="change" value="delete">Delete<span class="hidden"> ${type} ${name}</span></button>
</form>
</li>`;
}

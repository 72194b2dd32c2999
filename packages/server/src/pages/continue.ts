// The page that offers to continue with a domain that is signed in in this browser.

import { html } from "hono/html";
import { type AccountNews, newsNotice } from "./account-events.ts";
import { displayDomain } from "./domain-display.ts";
import { type ClientPageContext, type PageContext, page, type WayToClient } from "./layout.ts";
import type { PageHtml, Translate } from "./messages.ts";
import { endedSessions, type ShownEnd } from "./notice.ts";
import {
  appNote,
  backLink,
  buttonForm,
  clientName,
  domainName,
  hiddenField,
  host,
} from "./parts.ts";
import { signOutForms } from "./sign-out.ts";

/** A domain that is signed in, and the proof that this page offered it to this browser. */
interface OfferedDomain {
  readonly domain: string;
  readonly proof: string;
}

interface ContinuePageProps {
  /** At least one; the first is offered first. */
  readonly offers: readonly OfferedDomain[];
  readonly query: string;
  readonly ended: readonly ShownEnd[];
  /** Of these accounts, since this browser last showed it. */
  readonly news?: readonly AccountNews[];
}

export function continuePage(context: ClientPageContext, props: ContinuePageProps) {
  const { t, client } = context;
  const { clientName, clientHost, backToApp } = client;
  const { offers, query, ended, news = [] } = props;
  const domains = offers.map(({ domain }) => domain);
  const notices = html`${endedSessions(t, ended)}${news.map((one) => newsNotice(context, one))}${appNote(context)}`;
  const signOut = signOutForms(context, domains, query);
  const [first = { domain: "", proof: "" }, ...others] = offers;
  if (others.length === 0) {
    const { domain, proof } = first;
    return context.fill(renderOne, {
      clientName,
      clientHost,
      backToApp,
      query,
      domain,
      proof,
      domainName: domainName(domain),
      newsSeen: newsSeen(domain, news),
      notices,
      signOut,
    });
  }
  const forms = html`${offers.map(({ domain, proof }, index) => {
    const label = t("continue-as", { domain: displayDomain(domain).shown });
    const values = { query, domain, proof, newsSeen: newsSeen(domain, news) };
    return continueForm(values, label, index);
  })}`;
  const shown = { clientName, clientHost, backToApp, query, notices, forms, signOut };
  return context.fill(renderSeveral, shown);
}

interface ContinueValues extends WayToClient {
  readonly clientName: string;
  readonly query: string;
  readonly notices: PageHtml;
  readonly signOut: PageHtml;
}

interface FormValues extends OfferedDomain {
  readonly query: string;
  readonly newsSeen: PageHtml;
}

interface OneValues extends ContinueValues, FormValues {
  readonly domainName: PageHtml;
}

interface SeveralValues extends ContinueValues {
  readonly forms: PageHtml;
}

function renderOne(context: PageContext, shown: OneValues): PageHtml {
  const { t } = context;
  const title = t("continue-heading", { domain: shown.domain });
  const heading = t.html("continue-heading", { domain: shown.domainName });
  const form = continueForm(shown, t("continue-submit"));
  return page({ ...context, step: "continue", title, heading, body: bodyOf(t, shown, form) });
}

function renderSeveral(context: PageContext, shown: SeveralValues): PageHtml {
  const { t } = context;
  const body = bodyOf(t, shown, shown.forms);
  return page({ ...context, step: "continue", title: t("continue-choose"), body });
}

function bodyOf(t: Translate, shown: ContinueValues, forms: PageHtml): PageHtml {
  const names = { client: clientName(shown.clientName), host: host(shown.clientHost) };
  return html`<p class="lead">${t.html("continue-client", names)}</p>
${shown.notices}
<div class="actions">
${forms}
${buttonForm("other-domain-form", `/sign-in/other?${shown.query}`, t("continue-other"))}
</div>
${shown.signOut}
${backLink(t, shown)}`;
}

/** Without an index, the form of the only domain. */
function continueForm(shown: FormValues, label: string, index?: number): PageHtml {
  const { query, domain, proof, newsSeen: more } = shown;
  const id = index ? `continue-${index + 1}-form` : "continue-form";
  const kind = index === undefined ? "primary" : "";
  const hidden = { domain, proof };
  return buttonForm(id, `/sign-in/continue?${query}`, label, { kind, hidden, more });
}

function newsSeen(domain: string, news: readonly AccountNews[]): PageHtml {
  const own = news.find((one) => one.domain === domain);
  return own === undefined ? html`` : hiddenField("news_seen", String(own.until));
}

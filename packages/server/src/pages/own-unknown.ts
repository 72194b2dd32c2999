// The page for a domain whose record names this service with a set-up that another browser started, or finished.

import { html } from "hono/html";
import { type ClientPageContext, page } from "./layout.ts";
import { backLink, buttonForm, clientNote, domainTitle, inlineDomain } from "./parts.ts";

interface OwnUnknownPageProps {
  readonly domain: string;
  readonly startOverAction: string;
  readonly formerRecord?: string;
  /** Why the set-up is over: somebody finished it, its account ended, or a backup was restored. */
  readonly over?: "finished" | "ended" | "restored";
}

export function ownUnknownPage(context: ClientPageContext, props: OwnUnknownPageProps) {
  const { t, client } = context;
  const { domain, startOverAction, formerRecord, over } = props;
  const isOver = over !== undefined;
  const startOver = t.html("ownUnknown-startOver-explanation", { domain: inlineDomain(domain) });
  const button = { kind: "primary" };
  const body = html`<p class="lead">${t(isOver ? `ownUnknown-${over}` : "ownUnknown-lead")}</p>
${isOver ? "" : html`<p>${t("ownUnknown-finish-explanation")}</p>`}
<p>${startOver}</p>
${buttonForm("start-over-form", startOverAction, t("ownUnknown-startOver-submit"), button)}
${formerRecord === undefined ? "" : html`<p class="elsewhere"><a id="former" href="${formerRecord}">${t("dnsSetup-former")}</a></p>`}
${clientNote(context, "ownUnknown-client")}
${backLink(t, client)}`;
  const titles = domainTitle(
    t,
    isOver ? `ownUnknown-${over}Heading` : "ownUnknown-heading",
    domain,
  );
  return page({ ...context, ...titles, step: "problem", body });
}

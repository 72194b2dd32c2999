// The pages for strangers: what this service is, and what a sign-in would find in the DNS of a domain.

import { type DomainNameOptions, readDomain } from "../account/domain-name.ts";
import type { Diagnoses } from "../dns/diagnosis.ts";
import type { NewRecords } from "../dns/new-records.ts";
import { failureOf, type SpRecordLook } from "../dns/sp-record.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { requesterAt } from "../http/requester.ts";
import { page } from "../http/responses.ts";
import { pagesWithout } from "../interaction/pending-request.ts";
import type { Requester } from "../lib/fair-queue.ts";
import { checkPage, homePage } from "../pages/check.ts";
import type { PageContext } from "../pages/layout.ts";
import type { CheckResult } from "../pages/notice.ts";
import { explain } from "./lookup-notice.ts";
import { serversAdvice, verdictOn } from "./verdict.ts";

export interface Deps {
  readonly issuer: string;
  readonly newRecords: { readonly lookForStranger: NewRecords["lookForStranger"] };
  readonly diagnoses: { readonly look: Diagnoses["look"] };
  readonly domainNames: DomainNameOptions;
}

const RETRY_AFTER = { "retry-after": "2" };

export function createCheck({ issuer, newRecords, diagnoses, domainNames }: Deps) {
  const issuerHost = new URL(issuer).host;
  return { showHome, showCheck };

  /** GET /: the same page for everybody, signed in or not. */
  function showHome(http: HttpRequest): Promise<HttpResponse> {
    return page(200, homePage(pagesWithout(http), { issuerHost }));
  }

  /**
   * GET /check, with what was typed as `domain`. Reads no cookie and no account, and asks nothing but DNS: whoever asks
   * must not learn whether a domain has an account here.
   */
  async function showCheck(http: HttpRequest): Promise<HttpResponse> {
    const pages = pagesWithout(http);
    const typed = new URLSearchParams(http.query).get("domain");
    if (typed === null || isOfOtherSite(http))
      return page(200, checkPage(pages, { value: typed ?? "" }));
    const input = readDomain(typed, domainNames);
    if (!input.ok) {
      const about = { domain: input.about, example: `alice.${input.about}` };
      const notice = pages.t.explanation(`domainMistakes-${input.mistake}`, about);
      return page(400, checkPage(pages, { value: typed, notice }));
    }
    const { domain } = input;
    const from = requesterAt(http.clientAddress, false);
    const look = await newRecords.lookForStranger(domain, { freshness: "recent", from });
    if (failureOf(look) === "busy") {
      const notice = explain(pages.t, look, domain);
      return page(503, checkPage(pages, { value: typed, notice }), RETRY_AFTER);
    }
    return page(
      200,
      checkPage(pages, { value: typed, result: await resultOf(pages, look, { domain, from }) }),
    );
  }

  /** The verdict, what to do, the records and what each server answered. */
  async function resultOf(
    pages: PageContext,
    look: SpRecordLook,
    { domain, from }: { readonly domain: string; readonly from: Requester },
  ): Promise<CheckResult> {
    const { t } = pages;
    const wanted = look.records.find(({ problems }) => problems.length === 0)?.value;
    const looked = { freshness: "recent", from } as const;
    const record = wanted ?? { sp: issuer };
    const diagnosis = await diagnoses.look(domain, look.name, record, looked);
    const { summary, details } = verdictOn(pages, look, domain);
    const advice = serversAdvice(t, look, { diagnosis, domain });
    // Without a resolver that agreed, there is no assurance.
    const assurance = look.resolvers === 0 ? [] : [t(`check-assurance-${look.assurance}`)];
    return {
      summary,
      details: [...(advice === null ? details : [advice.summary, ...advice.details]), ...assurance],
      records: look.records.map(({ value, problems }) => ({
        value,
        problems: problems.map(t.recordProblem),
      })),
      checkedAt: look.checkedAt,
      servers:
        diagnosis.asked.length === 0 ? undefined : { name: look.name, answers: diagnosis.asked },
    };
  }
}

/** A page of another site must not make its visitors' browsers look up domains: that would count for their networks. */
function isOfOtherSite(http: HttpRequest): boolean {
  const site = http.header("sec-fetch-site");
  return site !== null && site !== "same-origin" && site !== "none";
}

// The user's side of the walk: a browser that prints its requests, and the DNS records on its pages.

import { createUserAgent, type Page, type UserAgent } from "../browser/user-agent.ts";
import type { DemoDescription } from "../description.ts";
import { createPatience, type Pause, PRESSED_AGAIN_MS, waitAskedBy } from "../patience.ts";
import type { TxtRecord } from "./client.ts";
import { expectEqual, expectThat, type Narrate, narrateWait } from "./steps.ts";

/**
 * A browser with no cookies yet. It prints each request, and the destination of each redirect to another site. Its
 * user is patient: if the service is busy, or its DNS look-up took too long, they reload the page or press the
 * button again.
 */
export function createWalkBrowser(
  demo: Pick<DemoDescription, "app" | "issuer" | "sp">,
  narrate: Narrate,
  pause?: Pause,
): UserAgent {
  let lastMethod = "GET";
  const siteNames = new Map([
    [demo.app, "the app"],
    [demo.issuer, "the service"],
    [demo.sp.issuer, "the SP"],
    [demo.sp.app, "the SP's app"],
  ]);
  const agent = createUserAgent({
    trace({ method, url, status, location }) {
      lastMethod = method;
      const { origin, pathname } = new URL(url);
      const path = pathname.replace(
        /^(\/(?:interaction|federation\/callback)\/[^/]{6})[^/]*/,
        "$1…",
      );
      const next = location === undefined ? origin : new URL(location).origin;
      const redirect = next === origin ? "" : `, redirect to ${siteNames.get(next) ?? next}`;
      narrate(`   browser  ${method} ${path} → ${status}${redirect}`);
    },
  });
  const patiently = createPatience(narrateWait(narrate), pause);

  /** Opens the page again at which the last try ended, or submits the form again if that was the answer to it. */
  function again(page: Page, submit: () => Promise<Page>, options: { stopAt?: string }) {
    if (page.step === "external") return agent.open(page.link("try-again"), options);
    return lastMethod === "POST" || isUnchecked(page) ? submit() : agent.open(page.url, options);
  }

  return {
    cookies: agent.cookies,
    open: (url, options = {}) => {
      const open = () => agent.open(url, options);
      return patiently((page) => (page ? again(page, open, options) : open()), waitBeforeRetry);
    },
    submit(from, formId, fields = {}, options = {}) {
      const submit = () => agent.submit(from, formId, fields, options);
      const waitFor = (page: Page) =>
        formId === "check-form" && isUnchecked(page) ? PRESSED_AGAIN_MS : waitBeforeRetry(page);
      return patiently((page) => (page ? again(page, submit, options) : submit()), waitFor);
    },
  };
}

/** `external` is the page of a sign-in at another service that failed; it has a link to try again. */
function waitBeforeRetry(page: Page): number | null {
  if (page.stopped) return null;
  return page.step === "external" ? PRESSED_AGAIN_MS : waitAskedBy(page);
}

/** The walk checks records that are published, so such a page means that DNS was too slow. */
function isUnchecked({ step }: Page): boolean {
  return step === "dns-setup" || step === "dns-challenge";
}

export function expectPage(page: Page, step: string): void {
  const found = page.stopped ? `a redirect to ${page.url.split("?", 1)[0]}` : page.step;
  expectEqual("the page", found ?? `status ${page.status} and no data-step`, step);
}

/** Reads the record that the page of this issuer asks the owner to publish. */
export function readRecord(
  page: Page,
  name: string,
  { issuer }: { readonly issuer: string },
  narrate: Narrate,
): TxtRecord {
  const record = {
    name: page.text("dns-name"),
    type: page.text("dns-type"),
    value: page.text("dns-value"),
    ttl: 60,
  };
  narrate(`   record   ${record.name} ${record.type} "${record.value}"`);
  expectEqual("the name of the record", record.name, name);
  expectEqual("the type of the record", record.type, "TXT");
  const version = name.startsWith("_domain-signin-challenge.") ? "dsi1-chal" : "dsi1";
  const prefix = `v=${version} sp=${issuer} `;
  expectThat(`the value begins with ${prefix}`, record.value.startsWith(prefix), record.value);
  return record;
}

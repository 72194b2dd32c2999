// The user's side of the walk: a browser that prints its requests, and the DNS records on its pages.

import { createUserAgent, type Page, type UserAgent } from "../browser/user-agent.ts";
import type { DemoDescription } from "../description.ts";
import type { TxtRecord } from "./client.ts";
import { expectEqual, expectThat, type Narrate } from "./steps.ts";

/** A browser with no cookies yet. It prints each request, and the destination of each redirect to another site. */
export function createWalkBrowser(demo: DemoDescription, narrate: Narrate): UserAgent {
  const siteNames = new Map([
    [demo.app, "the app"],
    [demo.issuer, "the service"],
    [demo.sp.issuer, "the SP"],
    [demo.sp.app, "the SP's app"],
  ]);
  return createUserAgent({
    trace({ method, url, status, location }) {
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
  const prefix = `v=dsi1; sp=${issuer}; `;
  expectThat(`the value begins with ${prefix}`, record.value.startsWith(prefix), record.value);
  return record;
}

// The person's side of the walk: a browser that tells where it goes, and pages with records to publish.

import { createUserAgent, type Page, type UserAgent } from "../browser/user-agent.ts";
import type { DemoDescription } from "../description.ts";
import type { TxtRecord } from "./client.ts";
import { expectEqual, expectThat, type Narrate } from "./steps.ts";

/** A browser without cookies. Each request is narrated, and whose the next one is where that changes. */
export function createWalkBrowser(demo: DemoDescription, narrate: Narrate): UserAgent {
  const places = new Map([
    [demo.app, "back to the app"],
    [demo.issuer, "back to the service"],
    [demo.sp.issuer, "on to the SP"],
    [demo.sp.app, "back to the SP's app"],
  ]);
  return createUserAgent({
    trace({ method, url, status, location }) {
      const { origin, pathname } = new URL(url);
      const path = pathname.replace(
        /^(\/(?:interaction|federation\/callback)\/[^/]{6})[^/]*/,
        "$1…",
      );
      const next = location === undefined ? origin : new URL(location).origin;
      const onwards = next === origin ? "" : `, ${places.get(next) ?? `on to ${next}`}`;
      narrate(`   browser  ${method} ${path} → ${status}${onwards}`);
    },
  });
}

export function expectPage(page: Page, step: string): void {
  const where = page.stopped ? `a redirect to ${page.url.split("?", 1)[0]}` : page.step;
  expectEqual("the page", where ?? `status ${page.status} without a step`, step);
}

/** The record that a page of this issuer asks for, as the page has it. */
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
  const begins = `v=dsi1; sp=${issuer}; `;
  expectThat(`the value begins with ${begins}`, record.value.startsWith(begins), record.value);
  return record;
}

// The account page of a zone that was signed after the record was published: it says which record apps can verify.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { startAssuredService } from "../support/assured-service.ts";
import { flow } from "../support/flow.ts";
import { givePasskey } from "../support/passkeys.ts";

const at = flow({ start: () => startAssuredService("corroborated") });

const SIGNED = "Your DNS is signed (DNSSEC).";
const SPK = /[; ]*\bspk=[\w,-]+/;
const OWN_KEY = "k".repeat(43);

/** Signs in as the domain, and publishes its record without the keys of the service, with a key of the owner. */
async function withoutKeys(domain: string): Promise<void> {
  await at.signIn({ domain });
  const [record] = recordsOf(domain);
  if (record === undefined) throw new Error("no record");
  publish(domain, `${record.value.replace(SPK, "")} jkt=${OWN_KEY}`);
}

const recordsOf = (domain: string) =>
  at.zone.records().filter(({ name }) => name === `_domain-signin.${domain}`);

function publish(domain: string, value: string): void {
  for (const record of recordsOf(domain)) {
    at.zone.remove(record);
    at.zone.add({ ...record, value });
  }
  at.advance(301);
}

const detailsOf = ({ html }: Page) =>
  /<details id="dns-record">([\s\S]*?)<\/details>/.exec(html)?.[1] ?? "";

test("in one line of its closed details, until that record is published", async () => {
  const domain = "alice.test";
  await withoutKeys(domain);
  const { thumbprint } = await givePasskey(at, domain);
  const page = await at.account({ domain });
  expect(page.html.split(SIGNED)).toHaveLength(2);
  expect(detailsOf(page)).toContain(SIGNED);
  const value = page.text("dns-value");
  const jkt = /jkt=([\w,-]+)/.exec(value)?.[1]?.split(",") ?? [];
  expect(jkt.sort()).toEqual([OWN_KEY, thumbprint].sort());
  expect(value).toMatch(SPK);
  publish(domain, value);
  const after = await at.account({ domain });
  expect(after.html).toContain("is in order.");
  expect([after.html.includes(SIGNED), after.has("dns-value")]).toEqual([false, false]);
});

test("and says nothing of it in a zone that is not signed", async () => {
  const domain = "carol.test";
  await withoutKeys(domain);
  const page = await at.account({ domain });
  expect(detailsOf(page)).toContain(OWN_KEY);
  expect([page.html.includes(SIGNED), page.has("dns-value")]).toEqual([false, false]);
});

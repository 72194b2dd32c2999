// What the account page shows of the record: what the look found that decides about the account.

import { beforeEach, expect, test } from "vitest";
import { flow } from "../support/flow.ts";

const at = flow();
beforeEach(() => at.signIn());

const name = () => `_domain-signin.${at.domain}`;
/** What the page shows as the record, as text. */
async function shown(): Promise<string> {
  const { html } = await at.account();
  const [, found = ""] = /id="dns-found">([\s\S]*?)<\/(?:div|p)>\n*<section/.exec(html) ?? [];
  return found
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Replaces the records of the domain, and lets the remembered look expire. */
function change(...values: string[]): void {
  for (const record of at.zone.records()) if (record.name === name()) at.zone.remove(record);
  for (const value of values) at.zone.add({ name: name(), type: "TXT", value, ttl: 300 });
  at.advance(301);
}

test("the value of the record, and no other TXT record at its name", async () => {
  const [record] = at.zone.records().filter((one) => one.name === name());
  at.zone.add({ name: name(), type: "TXT", value: "v=spf1 -all", ttl: 300 });
  at.advance(301);
  expect(await shown()).toBe(`Found in DNS ${record?.value}`);
});

test("that there is none, under its name", async () => {
  change();
  expect(await shown()).toBe(`There is no sign-in record at ${name()} .`);
});

test("the other value, as text", async () => {
  const other = `v=dsi1 sp=https://evil.example acct=${"a".repeat(22)} x=<b>`;
  change(other);
  expect(await shown()).toBe(`Found in DNS ${other.replace("<b>", "&lt;b&gt;")}`);
});

test("two of many records, each at a length that a person reads", async () => {
  const long = (letter: string) => `v=dsi1 sp=https://a.example x=${letter.repeat(900)}`;
  change(long("a"), long("b"), long("c"));
  const text = await shown();
  expect(text.match(/v=dsi1/g)).toHaveLength(2);
  expect(text.length).toBeLessThan(900);
});

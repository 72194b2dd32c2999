// What the account page shows of the record, which is a detail, and its first line, which says whether all is in order.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { givePasskey } from "../support/passkeys.ts";

const at = flow();
beforeEach(() => at.signIn());

const name = () => `_domain-signin.${at.domain}`;
const detailsOf = ({ html }: Page) =>
  /<details id="dns-record"( open)?>([\s\S]*?)<\/details>/.exec(html) ?? ["", undefined, ""];
/** What the page says that DNS contains, once a person opens it, as text. When that was checked follows. */
async function shown(): Promise<string> {
  const [, , details = ""] = detailsOf(await at.account());
  const text = details.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  const [, found = ""] = /^ The record in DNS (.*) Last checked: [\d:]{8} UTC /.exec(text) ?? [];
  return found;
}

/** The first line of the page, as text, without the time, and its colour. */
function firstLine({ html }: Page): readonly [kind: string, ...sentences: string[]] {
  const [, kind = "", line = ""] =
    /<h1>[\s\S]*?<\/h1>\n<div class="notice ?(\w*)" id="first-line"[^>]*>([\s\S]*?)<\/div>/.exec(
      html,
    ) ?? [];
  const sentences = [...line.matchAll(/<p[^>]*>([\s\S]*?)<\/p>/g)].map(([, text = ""]) =>
    text.replace(/<[^>]*>/g, "").replace(/\d\d:\d\d:\d\d/, "TIME"),
  );
  return [kind, ...sentences];
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
  expect(await shown()).toBe(`${name()} Found in DNS ${record?.value}`);
});

test("that there is none, under its name", async () => {
  change();
  expect(await shown()).toBe(`There is no sign-in record at ${name()} .`);
});

test("the other value, as text", async () => {
  const other = `v=dsi1 sp=https://evil.example acct=${"a".repeat(22)} x=<b>`;
  change(other);
  expect(await shown()).toBe(`${name()} Found in DNS ${other.replace("<b>", "&lt;b&gt;")}`);
});

test("two of many records, each at a length that a person reads", async () => {
  const long = (letter: string) => `v=dsi1 sp=https://a.example x=${letter.repeat(900)}`;
  change(long("a"), long("b"), long("c"));
  const text = await shown();
  expect(text.match(/v=dsi1/g)).toHaveLength(2);
  expect(text.length).toBeLessThan(900);
});

test("closed, as long as nothing is to be done about it", async () => {
  expect(detailsOf(await at.account())[1]).toBeUndefined();
});

test("open if it is lost, with the record to publish, which wakes the account", async () => {
  const before = await at.accountOf();
  change();
  const page = await at.account();
  expect(detailsOf(page)[1]).toBe(" open");
  at.zone.add({ name: name(), type: "TXT", value: page.text("dns-value"), ttl: 300 });
  expect(firstLine(await at.account())[0]).not.toBe("");
  expect((await at.accountOf()).id).toBe(before.id);
});

describe("the first line", () => {
  test("is green and says that the domain is in order, and when that was checked", async () => {
    await givePasskey(at, at.domain);
    expect(firstLine(await at.account())).toEqual([
      "good",
      `${at.domain} is in order.`,
      "The record in your DNS names this account. Checked at TIME UTC.",
    ]);
  });

  test("says that there is no passkey, and what one is good for", async () => {
    expect(firstLine(await at.account())).toEqual([
      "warning",
      `${at.domain} has no passkey.`,
      "Add one, and you no longer need to edit DNS to sign in.",
    ]);
  });

  test.each([true, false])("says that few codes are left, with a passkey: %s", async (has) => {
    if (has) await givePasskey(at, at.domain);
    const { id: accountId } = await at.accountOf();
    const few = { accountId, from: null, to: "a set", codeHashes: ["one", "two"] };
    await at.store.recoveryCodes.renewRecoveryCodes(few);
    expect(firstLine(await at.account())).toEqual([
      "warning",
      "You have fewer than three recovery codes left.",
      "Make new ones: they are for the day on which you lose all your devices.",
    ]);
  });

  test("is red without the record, whatever else is missing", async () => {
    change();
    expect(firstLine(await at.account())).toEqual([
      "",
      "Your DNS record does not name this account at the moment.",
      `Until the record is back, nobody can use this account to sign in as ${at.domain}.`,
    ]);
  });
});

// The history on the account page: what its owner reads there, in pages of a bounded size.

import { beforeEach, expect, test } from "vitest";
import { assets } from "../../src/pages/assets.ts";
import { LANGUAGES } from "../../src/pages/languages.ts";
import type { NewHistoryEntry } from "../../src/store/history-entries.ts";
import { eventually } from "../support/eventually.ts";
import { flow } from "../support/flow.ts";

const at = flow({ registration: { name: "Notes <b>", consent: "first" } });
let accountId: string;
beforeEach(async () => {
  await at.signIn();
  accountId = (await at.accountOf()).id;
  await eventually(async () => expect(await entries()).toHaveLength(3));
});

const entries = () => at.store.histories.historyOf(accountId, { since: 0, limit: 100 });
const open = (url = "/account") => at.agent.open(new URL(url, at.issuer).href);
/** The entries of the page, without their times. */
const shown = (html: string) => {
  const [, section = ""] = html.split('id="history-title"');
  return [...section.matchAll(/<li><p>(.*?)<\/p>/g)].map(([, text = ""]) =>
    text.replace(/<[^>]*>/g, ""),
  );
};
/** Adds entries, the last one the newest, all newer than those of the set-up. */
async function add(...added: Omit<NewHistoryEntry, "accountId">[]): Promise<void> {
  const now = (await entries())[0]?.at ?? 0;
  for (const [index, entry] of added.entries()) {
    const id = `${((now + 1) * 1000 + index).toString(16).padStart(12, "0")}-test`;
    await at.store.histories.recordHistory([{ ...entry, accountId, id, at: now } as never]);
  }
}

test("what happened is listed, newest first, with the time and the name of the app", async () => {
  const page = await open();
  expect(shown(page.html)).toHaveLength(3);
  expect(shown(page.html)).toEqual(
    expect.arrayContaining([
      "Account created",
      "Signed in to Notes &lt;b&gt;",
      "Access allowed for Notes &lt;b&gt;",
    ]),
  );
  expect(page.html).toMatch(/<p class="aside">\w{3} \d+, \d{4}, \d+:\d\d.[AP]M<\/p>/);
});

test("every kind has a sentence: what the owner did, what the operator did, and what DNS said", async () => {
  await add(
    { kind: "signed_in", detail: { client_id: at.client.id, amr: "pop user" } },
    { kind: "signed_in", detail: { client_id: `${at.issuer}/account`, amr: "dns" } },
    { kind: "passkey_added", detail: { name: "firefox linux" } },
    { kind: "passkey_renamed", detail: { name: "<script>alert(1)</script>" } },
    { kind: "passkey_removed", detail: { name: "unknown unknown" } },
    { kind: "recovery_codes_renewed", detail: {} },
    { kind: "record_changed", detail: { names_account: false } },
    { kind: "record_changed", detail: { names_account: true } },
    { kind: "app_revoked", detail: { client_id: null } },
    { kind: "operator_revoked", detail: { client_id: "an app that is gone" } },
    { kind: "operator_signed_out", detail: {} },
    { kind: "token_repeated_elsewhere", detail: { client_id: at.client.id } },
  );
  const { html } = await open();
  expect(shown(html).slice(0, 12).reverse()).toEqual([
    "Signed in to Notes &lt;b&gt; with a passkey",
    `Signed in to ${new URL(at.issuer).host}`,
    "Passkey added: Firefox on Linux",
    "Passkey renamed: &lt;script&gt;alert(1)&lt;/script&gt;",
    "Passkey removed: Unknown browser",
    "New recovery codes were made",
    "The record in your DNS no longer names this account",
    "The record in your DNS names this account again",
    "Access revoked for all apps",
    "The operator of this service revoked the access of an app that is gone",
    "The operator of this service signed you out everywhere",
    "Notes &lt;b&gt; repeated an earlier request for access, from another network",
  ]);
});

test("older entries are on pages of their own, each once, and end with the first", async () => {
  const name = "a".repeat(40);
  await add(
    ...Array.from({ length: 47 }, () => ({ kind: "passkey_added" as const, detail: { name } })),
  );
  const lengths: number[] = [];
  let page = await open();
  for (;;) {
    lengths.push(shown(page.html).length);
    if (!page.has("older")) break;
    page = await open(page.link("older"));
  }
  expect(lengths).toEqual([20, 20, 10]);
  expect(shown(page.html)).toContain("Account created");
  expect((await open("/account?before=zzz")).status).toBe(200);
  expect(shown((await open("/account?before=0")).html)).toEqual([]);
});

test("the page with the longest history weighs at most 30 KB in each language", async () => {
  await add(
    ...Array.from({ length: 30 }, () => ({
      kind: "operator_revoked" as const,
      detail: { client_id: "an app with a name of forty characters.." },
    })),
  );
  const shared = await Promise.all(
    [...assets]
      .filter(([path]) => !path.includes("passkey"))
      .map(async ([path]) => Number((await fetch(at.issuer + path)).headers.get("content-length"))),
  );
  for (const { lang } of LANGUAGES.values()) {
    const headers = { ...at.cookies(), "accept-language": lang };
    const html = await (await fetch(`${at.issuer}/account`, { headers })).text();
    expect(html).toContain(`lang="${lang}"`);
    const weight = shared.reduce((sum, one) => sum + one, Buffer.byteLength(html));
    expect([lang, weight < 29_000 || weight]).toEqual([lang, true]);
  }
});

test("another account's history is not shown, whatever the query says", async () => {
  const other = await at.owner({ domain: `other-${at.domain}` });
  const asked = await at.account({ agent: other });
  expect(asked.step).toBe("domain");
  const [newest] = await entries();
  const own = await other.open(`${at.issuer}/account?before=${newest?.id}zzz`);
  expect(shown(own.html).length).toBeLessThanOrEqual(3);
});

test("entries that are older than the history is kept are not shown before they are removed", async () => {
  at.advance(91 * 86_400);
  await at.signIn();
  await eventually(async () => expect((await entries()).length).toBeGreaterThan(3));
  expect(shown((await open()).html)).not.toContain("Account created");
});

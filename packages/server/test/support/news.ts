// News for tests: what happened to an account in another browser.

import type { Store } from "../../src/store/store.ts";

/** A browser and a passkey were added to the account of the domain. */
export async function happenedElsewhere(store: Store, domain: string): Promise<void> {
  const [account] = await store.accounts.accountsOf(domain);
  if (account === undefined) throw new Error(`${domain} has no account`);
  const { id: accountId, createdAt: at } = account;
  await store.sessions.noticeOthers({ accountId, sid: "", at });
  const entry = { accountId, at };
  await store.histories.recordHistory([
    { ...entry, id: `${domain}-1`, kind: "new_browser", detail: {} },
    { ...entry, id: `${domain}-2`, kind: "passkey_added", detail: { name: "firefox linux" } },
  ]);
}

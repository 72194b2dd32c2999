// What the account page shows of the history of its account.

import type { ShownEvent, ShownHistory } from "../pages/account-events.ts";
import type { Account } from "../store/accounts.ts";
import type { HistoryEntry } from "../store/history-entries.ts";
import type { Shown } from "./account-lists.ts";
import { clientNameOf } from "./client-name.ts";
import type { Deps } from "./deps.ts";

/** An entry has half of the octets of an entry of the other lists. */
const ENTRIES_PER_SIZE = 2;
const DAY_S = 86_400;

export async function accountHistory(
  { id, domain }: Account,
  { query, size }: Pick<Shown, "query" | "size">,
  deps: Pick<Deps, "histories" | "historyDays" | "clients" | "clock">,
): Promise<ShownHistory> {
  const { histories, historyDays, clock } = deps;
  const since = clock.seconds() - historyDays * DAY_S;
  const before = query.get("before");
  const most = size * ENTRIES_PER_SIZE;
  const found = await histories.historyOf(id, {
    since,
    limit: most + 1,
    ...(before !== null && { before }),
  });
  const shown = found.slice(0, most);
  const oldest = found.length > shown.length ? shown.at(-1) : undefined;
  return {
    since,
    events: await Promise.all(shown.map((entry) => shownEvent(entry, deps))),
    older:
      oldest === undefined
        ? null
        : `/account?${new URLSearchParams({ domain, before: oldest.id })}#history-title`,
  };
}

async function shownEvent(entry: HistoryEntry, deps: Pick<Deps, "clients">): Promise<ShownEvent> {
  const { at, detail } = entry;
  const clientId = "client_id" in detail ? detail.client_id : null;
  return {
    at,
    event: eventOf(entry),
    ...(clientId !== null && { client: await clientNameOf(clientId, deps) }),
    ...("name" in detail && { passkey: detail.name }),
  };
}

function eventOf({ kind, detail }: HistoryEntry): ShownEvent["event"] {
  switch (kind) {
    case "signed_in":
      // RFC 8176: proof of possession of a key.
      return detail.amr.split(" ").includes("pop") ? "signed_in_passkey" : "signed_in";
    case "app_revoked":
    case "operator_revoked":
      return detail.client_id === null ? `${kind}_all` : kind;
    case "record_changed":
      return detail.names_account ? "record_found" : "record_lost";
    default:
      return kind;
  }
}

// Shared code of account changes. For each change, the owner must authenticate again.

import { formatSpRecord } from "domain-signin-verify/record";
import { namesAccount, spRecordName } from "../dns/sp-record.ts";
import { type AccountChange, accountUri, changeUri } from "../interaction/account-page.ts";
import type { InteractionContext } from "../interaction/interaction.ts";
import { CEREMONY_LIFETIME_S } from "../interaction/passkey-challenge.ts";
import { PageError } from "../interaction/pending-request.ts";
import type { RecordToPublish } from "../pages/record.ts";
import type { Account } from "../store/accounts.ts";
import type { Deps } from "./deps.ts";

const RECORD_TTL_S = 300;

/**
 * The account that this interaction authenticated for this very change, at most five minutes ago. A session does
 * not count: a copy of its cookie must not become a lasting change. A change that was made can be
 * shown until the interaction expires.
 */
export function authenticatedFor(
  change: AccountChange,
  { interaction, request }: InteractionContext,
  { issuer, clock }: Pick<Deps, "issuer" | "clock">,
): { accountId: string; about: string } {
  const { clientId, accountId, authTime, method, query, decision } = interaction;
  const parameters = new URLSearchParams(query);
  const isForThis = parameters.get("redirect_uri") === changeUri(issuer, change);
  const isFromAccountPage = clientId === accountUri(issuer);
  const isOwn = method !== "session" && method !== "external";
  const isFresh = authTime !== null && clock.seconds() - authTime <= CEREMONY_LIFETIME_S;
  const isDone = decision === "allow";
  if (!isForThis || !isFromAccountPage || !isOwn || !(isFresh || isDone) || accountId === null) {
    throw new PageError(400, "expired", request);
  }
  return { accountId, about: parameters.get("nonce") ?? "" };
}

/**
 * After a passkey was removed or codes were renewed: what was authenticated for other changes of the account, by
 * those or otherwise, no longer counts.
 */
export async function endOtherChanges(
  { interaction: { id, clientId } }: InteractionContext,
  accountId: string,
  { interactions, clock }: Pick<Deps, "interactions" | "clock">,
): Promise<void> {
  await interactions.endInteractionsOf({ accountId, clientId, keptId: id, now: clock.seconds() });
}

/**
 * The record as it should read after a change of passkeys: with the keys that it lists now and those of all
 * passkeys, without the removed one, and never with a key of the service.
 */
export async function recordAfterChange(
  account: Account,
  removed: string | null,
  deps: Pick<Deps, "issuer" | "passkeys" | "spRecords" | "statementKeys">,
): Promise<RecordToPublish> {
  const { issuer, passkeys, spRecords, statementKeys } = deps;
  const { domain, acct } = account;
  const look = await spRecords.look(domain, "cached");
  const listed = namesAccount(look, account) ? look.jkt : [];
  const own = (await passkeys.passkeysOf(account.id)).map(({ thumbprint }) => thumbprint);
  const spk = statementKeys();
  const jkt = [...new Set([...listed, ...own])].filter(
    (key) => key !== removed && !spk.includes(key),
  );
  return {
    name: spRecordName(domain),
    type: "TXT",
    value: formatSpRecord({ sp: issuer, acct, spk, jkt }),
    ttl: RECORD_TTL_S,
  };
}

// Shared code of account changes. For each change, the owner must authenticate again.

import { formatSpRecord } from "domain-signin-verify/record";
import { namesAccount, spRecordName } from "../dns/sp-record.ts";
import { type AccountChange, accountUri, changeAt } from "../interaction/account-page.ts";
import type { InteractionContext } from "../interaction/interaction.ts";
import { PageError } from "../interaction/pending-request.ts";
import type { RecordToPublish } from "../pages/record.ts";
import { CEREMONY_LIFETIME_S } from "../passkeys/challenge.ts";
import type { Account } from "../store/accounts.ts";
import type { Deps } from "./deps.ts";

const RECORD_TTL_S = 300;
/** How long the owner has for a new passkey after a recovery. The page may have found the record while nobody was there. */
const RECOVERY_LIFETIME_S = 3600;

/** The change of the account page that the sign-in was made for; undefined for any other sign-in. */
export function changeOf(
  { interaction: { clientId, query } }: Pick<InteractionContext, "interaction">,
  { issuer }: Pick<Deps, "issuer">,
): AccountChange | undefined {
  if (clientId !== accountUri(issuer)) return undefined;
  return changeAt(issuer, new URLSearchParams(query).get("redirect_uri") ?? "");
}

/**
 * The account that this interaction authenticated for this very change, at most five minutes ago. A session does
 * not count: a copy of its cookie must not become a lasting change. A recovery counts for nothing but a new passkey,
 * see `mayAddPasskey`. A change that was made can be shown until the interaction expires.
 */
export function authenticatedFor(
  change: AccountChange,
  { interaction, request }: Pick<InteractionContext, "interaction" | "request">,
  { issuer, clock }: Pick<Deps, "issuer" | "clock">,
): { accountId: string; about: string } {
  const { accountId, authTime, method, query, decision, recovery } = interaction;
  const isForThis = changeOf({ interaction }, { issuer }) === change;
  const isOwn = method !== "session" && method !== "external";
  const isFresh = authTime !== null && clock.seconds() - authTime <= CEREMONY_LIFETIME_S;
  const isDone = decision === "allow";
  if (!isForThis || !isOwn || !(isFresh || isDone) || accountId === null) {
    throw new PageError(400, "expired", request);
  }
  if (recovery !== null) throw new PageError(403, "passkeyNeeded", request);
  return { accountId, about: new URLSearchParams(query).get("nonce") ?? "" };
}

/**
 * The account to which this interaction may add a passkey: by an authentication made for that, or as the next step of a
 * recovery. The right to that step is in the row of the interaction; no session leads to it.
 */
export function mayAddPasskey(
  { interaction, request }: Pick<InteractionContext, "interaction" | "request">,
  deps: Pick<Deps, "issuer" | "clock">,
): string {
  const { accountId, authTime, recovery } = interaction;
  if (recovery !== "asked" && recovery !== "added") {
    return authenticatedFor("new-passkey", { interaction, request }, deps).accountId;
  }
  const isFresh = authTime !== null && deps.clock.seconds() - authTime <= RECOVERY_LIFETIME_S;
  if (!isFresh || accountId === null) throw new PageError(400, "expired", request);
  return accountId;
}

/**
 * After a passkey was removed or codes were renewed: what was authenticated for other changes of the account, by
 * those or otherwise, no longer counts, and no recovery from before adds a passkey.
 */
export async function endOtherChanges(
  { interaction: { id } }: InteractionContext,
  accountId: string,
  { issuer, interactions, clock }: Pick<Deps, "issuer" | "interactions" | "clock">,
): Promise<void> {
  const of = { accountId, keptId: id, now: clock.seconds() };
  // Also if this interaction is the sign-in of an app.
  await interactions.endInteractionsOf({ ...of, clientId: accountUri(issuer) });
  await interactions.endRecoveriesOf(of);
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
  // Listing one that a restore has brought back would confirm it.
  const own = (await passkeys.passkeysOf(account.id))
    .filter(({ unconfirmed }) => unconfirmed === 0)
    .map(({ thumbprint }) => thumbprint);
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

// Changes of an account: for each change, the owner must authenticate again.

import { confirmedThumbprints, ownRecord, type StatementKeysFor } from "../dns/own-record.ts";
import { namesAccount, type SpRecords } from "../dns/sp-record.ts";
import { requesterAt } from "../http/requester.ts";
import { type AccountChange, accountUri, changeAt } from "../interaction/account-page.ts";
import type { InteractionContext } from "../interaction/interaction.ts";
import { PageError } from "../interaction/pending-request.ts";
import type { Clock } from "../lib/clock.ts";
import type { RecordToPublish } from "../pages/record.ts";
import { CEREMONY_LIFETIME_S } from "../passkeys/challenge.ts";
import type { Account, AccountStore } from "../store/accounts.ts";
import { type Interaction, isAuthenticated } from "../store/interaction-row.ts";
import type { InteractionStore } from "../store/interactions.ts";
import type { PasskeyStore } from "../store/passkeys.ts";
import type { RememberedStore } from "../store/remembered.ts";

/** Time to add a passkey after a recovery. The page may see the record while the owner is away. */
const RECOVERY_LIFETIME_S = 3600;

export interface Deps {
  readonly issuer: string;
  readonly accounts: AccountStore;
  readonly interactions: InteractionStore;
  readonly passkeys: PasskeyStore;
  readonly spRecords: SpRecords;
  readonly statementKeysFor: StatementKeysFor;
  readonly remembered: RememberedStore;
  readonly clock: Clock;
}

export type AccountChanges = ReturnType<typeof createAccountChanges>;

export function createAccountChanges(deps: Deps) {
  const { issuer, accounts, interactions, passkeys, spRecords, remembered, clock } = deps;
  return {
    changeOf,
    authenticatedFor,
    mayAddPasskey,
    endOtherChanges,
    recordAfterChange,
    recordOf,
  };

  function changeOf({ clientId, query }: Interaction): AccountChange | undefined {
    if (clientId !== accountUri(issuer)) return undefined;
    return changeAt(issuer, new URLSearchParams(query).get("redirect_uri") ?? "");
  }

  /**
   * The account that this interaction authenticated for this change, at most five minutes ago. A session does not
   * count, because a copied cookie must not lead to a lasting change. A recovery counts only in `mayAddPasskey`. A
   * change that was made can be shown until the interaction expires. `about` is the `nonce` of the request, which names
   * what to change; it can be empty.
   */
  function authenticatedFor(change: AccountChange, { interaction, request }: InteractionContext) {
    const isForThis = changeOf(interaction) === change;
    if (!isAuthenticated(interaction) || !isForThis) throw new PageError(400, "expired", request);
    const { accountId, authTime, method, decision, recovery } = interaction.progress;
    const isOwn = method !== "session" && method !== "external";
    const isFresh = clock.seconds() - authTime <= CEREMONY_LIFETIME_S;
    const isMade = decision === "allow";
    if (!isOwn || !(isFresh || isMade)) throw new PageError(400, "expired", request);
    if (recovery !== null) throw new PageError(403, "passkeyNeeded", request);
    const about = new URLSearchParams(interaction.query).get("nonce") ?? "";
    return { accountId, about, isMade };
  }

  /**
   * The account that may get a passkey: the owner has authenticated for that, or has recovered the account. The row of
   * the interaction records the recovery, so a session does not suffice.
   */
  function mayAddPasskey(open: InteractionContext): string {
    const { interaction, request } = open;
    const { recovery = null } = isAuthenticated(interaction) ? interaction.progress : {};
    if (!isAuthenticated(interaction) || (recovery !== "asked" && recovery !== "added")) {
      return authenticatedFor("new-passkey", open).accountId;
    }
    const { accountId, authTime } = interaction.progress;
    const isFresh = clock.seconds() - authTime <= RECOVERY_LIFETIME_S;
    if (!isFresh) throw new PageError(400, "expired", request);
    return accountId;
  }

  /** After a change: authentications for other changes and earlier recoveries no longer count. */
  async function endOtherChanges(interactionId: string, accountId: string): Promise<void> {
    const of = { accountId, keptId: interactionId, now: clock.seconds() };
    // The interactions of the account page, also if this interaction is the sign-in of an app.
    await interactions.endInteractionsOf({ ...of, clientId: accountUri(issuer) });
    await interactions.endRecoveriesOf(of);
  }

  /**
   * The record after a change of passkeys. It names the keys that it lists now and all passkeys, but neither the
   * removed passkey nor a key of the service.
   */
  async function recordAfterChange(
    { http, request }: InteractionContext,
    accountId: string,
    removed: string | null,
  ): Promise<RecordToPublish> {
    const account = await accounts.readAccount(accountId);
    if (account === null) throw new PageError(400, "expired", request);
    const from = requesterAt(http.clientAddress, true);
    const look = await spRecords.look(account.domain, { freshness: "cached", from });
    const listed = namesAccount(look, account) ? look.jkt : [];
    const { signed } = await remembered.rememberedOf(account.domain, clock.seconds());
    // Also if this look failed.
    const isSecure = look.assurance === "secure" || signed?.unsignedAt === null;
    return recordOf(account, { jkt: listed.filter((key) => key !== removed), isSecure });
  }

  /** With these keys of the owner, the passkeys, and the keys of the service that belong into the zone. */
  async function recordOf(
    { id, domain, acct }: Account,
    keys: { readonly jkt: readonly string[]; readonly isSecure: boolean },
  ): Promise<RecordToPublish> {
    const own = confirmedThumbprints(await passkeys.passkeysOf(id));
    const spk = deps.statementKeysFor(keys);
    const jkt = [...new Set([...keys.jkt, ...own])].filter((key) => !spk.includes(key));
    return ownRecord(issuer, { domain, acct, spk, jkt });
  }
}

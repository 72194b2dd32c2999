// In a set-up: the record of an account that the domain had before, for people who can prove a tie to it.

import { confirmedThumbprints, ownRecord, type StatementKeysFor } from "../../dns/own-record.ts";
import type { Cookies } from "../../http/cookies.ts";
import type { HttpRequest, HttpResponse } from "../../http/message.ts";
import { page, seeOther } from "../../http/responses.ts";
import type { Flow } from "../../interaction/flow.ts";
import { addressWithRequest, type StepContext } from "../../interaction/interaction.ts";
import { PageError, pagesFor } from "../../interaction/pending-request.ts";
import { recoveryCodeEntered } from "../../interaction/progress.ts";
import type { Clock } from "../../lib/clock.ts";
import { formerRecordPage } from "../../pages/former-record.ts";
import type { RecordToPublish } from "../../pages/record.ts";
import type { BrowserSessions } from "../../sessions/browser-sessions.ts";
import type { Account, AccountStore } from "../../store/accounts.ts";
import type { RecoveryCodeStore } from "../../store/code-sets.ts";
import type { PasskeyStore } from "../../store/passkeys.ts";
import type { RememberedStore } from "../../store/remembered.ts";
import { OWN_SP } from "../../store/shared-values.ts";
import type { RecoveryCodeEntry, RefusedCode } from "../recovery-code-entry.ts";

export interface Deps {
  readonly flow: Flow;
  readonly formerAccounts: FormerAccounts;
  readonly enterRecoveryCode: RecoveryCodeEntry;
  readonly recoveryCodes: RecoveryCodeStore;
}

type FormerStep = StepContext<"dns-setup">;

export function createFormerRecord(deps: Deps) {
  const { flow, formerAccounts, recoveryCodes } = deps;
  return {
    /** GET /interaction/:id/former-record */
    showFormerRecord: (open: FormerStep) => showPage(open),
    proveFormerAccount,
  };

  /** POST /interaction/:id/former-record with `recovery_code`, which is not used up. */
  async function proveFormerAccount(open: FormerStep): Promise<HttpResponse> {
    const { interaction, request } = open;
    const { domain } = interaction;
    const entered = await deps.enterRecoveryCode(
      open,
      async (hash) => (await ownerOfCode(domain, hash)) !== null,
    );
    if (typeof entered !== "string") return showPage(open, entered);
    const { isChanged } = await flow.change(interaction, recoveryCodeEntered(entered));
    if (!isChanged) throw new PageError(400, "expired", request);
    return seeOther(addressWithRequest(interaction.id, "former-record", request));
  }

  /** If anything proves a tie. A code comes first, as the browser may know a newer account. */
  async function recordFor(open: FormerStep): Promise<RecordToPublish | undefined> {
    const { http, interaction } = open;
    const { domain, progress } = interaction;
    const { formerCode } = progress;
    const account =
      (formerCode === null ? null : await ownerOfCode(domain, formerCode)) ??
      (await formerAccounts.knownToBrowser(http, domain));
    return account === null ? undefined : formerAccounts.recordToRestore(account);
  }

  async function ownerOfCode(domain: string, codeHash: string): Promise<Account | null> {
    for (const account of await formerAccounts.all(domain)) {
      if (await recoveryCodes.hasRecoveryCode(account.id, codeHash)) return account;
    }
    return null;
  }

  async function showPage(open: FormerStep, refused?: RefusedCode): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain, query } = interaction;
    const props = {
      ...{ domain, record: await recordFor(open) },
      ...(refused && { code: { value: refused.typed, problem: refused.problem } }),
      action: addressWithRequest(id, "former-record", request),
      signInAgain: `/oauth/authorize?${query}`,
      newRecord: addressWithRequest(id, "dns-setup", request),
    };
    const { status = 200, headers = {} } = refused ?? {};
    return page(status, formerRecordPage(pagesFor(http, request), props), headers);
  }
}

export type FormerAccounts = ReturnType<typeof createFormerAccounts>;

/** The accounts that a domain has or had at this service. */
export function createFormerAccounts(deps: {
  readonly issuer: string;
  readonly accounts: AccountStore;
  readonly passkeys: PasskeyStore;
  readonly browserSessions: BrowserSessions;
  readonly cookies: Cookies;
  readonly statementKeysFor: StatementKeysFor;
  readonly remembered: RememberedStore;
  readonly clock: Clock;
}) {
  const { issuer, accounts, passkeys, browserSessions, cookies, remembered, clock } = deps;
  return { all, knownToBrowser, recordToRestore };

  /** The account that is awake first, then the newest. Not those that have ended. */
  async function all(domain: string): Promise<readonly Account[]> {
    return (await accounts.accountsOf(domain)).filter(({ sp }) => sp === OWN_SP);
  }

  /** The account of the domain that knows this browser, whether or not its record is there. */
  async function knownToBrowser(http: HttpRequest, domain: string): Promise<Account | null> {
    if (cookies.sessions(http).length + cookies.known(http).length === 0) return null;
    for (const account of await all(domain)) {
      if (await browserSessions.isKnown(http, account)) return account;
    }
    return null;
  }

  /** The record with which the account can be used again. */
  async function recordToRestore({ id, domain, acct }: Account): Promise<RecordToPublish> {
    const jkt = confirmedThumbprints(await passkeys.passkeysOf(id));
    const { signed } = await remembered.rememberedOf(domain, clock.seconds());
    const spk = deps.statementKeysFor({ isSecure: signed?.unsignedAt === null });
    return ownRecord(issuer, { domain, acct, spk, jkt });
  }
}

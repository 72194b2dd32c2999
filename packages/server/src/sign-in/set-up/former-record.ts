// In a set-up: the record of an account that the domain had before, for people who can prove a tie to it.

import { formatSpRecord } from "domain-signin-verify/record";
import { spRecordName } from "../../dns/sp-record.ts";
import type { HttpRequest, HttpResponse } from "../../http/message.ts";
import { page, seeOther } from "../../http/responses.ts";
import { type InteractionContext, stepPath } from "../../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../../interaction/pending-request.ts";
import { type FormerRecordPageProps, formerRecordPage } from "../../pages/former-record.ts";
import type { RecordToPublish } from "../../pages/record.ts";
import type { Account } from "../../store/accounts.ts";
import { OWN_SP } from "../../store/shared-values.ts";
import type { Deps, StepDeps } from "../deps.ts";
import { countAttempt, recoveryCodeHash } from "../recovery-codes.ts";

type RecordDeps = Pick<Deps, "issuer" | "passkeys" | "statementKeys">;
type BrowserDeps = Pick<Deps, "accounts" | "browserSessions" | "cookies">;
type FormerDeps = StepDeps & RecordDeps & BrowserDeps & Pick<Deps, "recoveryCodes" | "attempts">;

export function createFormerRecord(deps: FormerDeps) {
  return { showFormerRecord, proveFormerAccount };

  /** GET /interaction/:id/former-record */
  async function showFormerRecord(open: InteractionContext): Promise<HttpResponse> {
    return showPage(open, { record: await recordFor(open) });
  }

  /**
   * For the person in this browser, if anything proves a tie. A code comes first: the browser can know a newer
   * account of the domain.
   */
  async function recordFor(open: InteractionContext): Promise<RecordToPublish | undefined> {
    const account = (await provenByCode(open, deps)) ?? (await accountKnownToBrowser(open, deps));
    return account === null ? undefined : recordToRestore(account, deps);
  }

  /** POST /interaction/:id/former-record with `recovery_code`, which is not used up. */
  async function proveFormerAccount(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const typed = (await formField(http, "recovery_code", request)).trim().slice(0, 100);
    const { t } = pagesFor(http, request);
    const refuse = async (status: number, problem: string, headers = {}) => {
      const shown = { record: await recordFor(open), code: { value: typed, problem } };
      return showPage(open, shown, { status, headers });
    };
    if (typed === "") return refuse(400, t("recoveryProblems-missing"));
    const wait = await countAttempt(open, deps);
    if (wait > 0) {
      return refuse(429, t("recoveryProblems-tooMany"), { "retry-after": String(wait) });
    }
    const codeHash = recoveryCodeHash(typed);
    if ((await ownerOfCode(interaction.domain, codeHash, deps)) === null) {
      return refuse(400, t("recoveryProblems-wrong"));
    }
    const { interactions, clock } = deps;
    const kept = await interactions.keepRecoveryCode(interaction.id, codeHash, clock.seconds());
    if (kept === null) throw new PageError(400, "expired", request);
    return seeOther(stepPath(interaction.id, "former-record"));
  }
}

/** The account of the domain that knows this browser, whether or not its record is there. */
export async function accountKnownToBrowser(
  {
    http,
    interaction: { domain },
  }: {
    readonly http: HttpRequest;
    readonly interaction: Pick<InteractionContext["interaction"], "domain">;
  },
  deps: BrowserDeps,
): Promise<Account | null> {
  const { cookies } = deps;
  if (cookies.sessions(http).length + cookies.known(http).length === 0) return null;
  for (const account of await ownAccountsOf(domain, deps)) {
    if (await deps.browserSessions.isKnown(http, account)) return account;
  }
  return null;
}

/** The record with which the account can be used again. */
export async function recordToRestore(
  { id, domain, acct }: Account,
  { issuer, passkeys, statementKeys }: RecordDeps,
): Promise<RecordToPublish> {
  // Listing one that a restore has brought back would confirm it.
  const jkt = (await passkeys.passkeysOf(id))
    .filter(({ unconfirmed }) => unconfirmed === 0)
    .map(({ thumbprint }) => thumbprint);
  const value = formatSpRecord({ sp: issuer, acct, spk: statementKeys(), jkt });
  return { name: spRecordName(domain), type: "TXT", value, ttl: 300 };
}

/** The one that is awake first, then the newest. Not those that have ended. */
async function ownAccountsOf(
  domain: string,
  { accounts }: Pick<Deps, "accounts">,
): Promise<readonly Account[]> {
  const all = await accounts.accountsOf(domain);
  return all.filter(({ sp }) => sp === OWN_SP);
}

async function provenByCode(
  { interaction: { domain, recoveryHash } }: InteractionContext,
  deps: FormerDeps,
): Promise<Account | null> {
  return recoveryHash === null ? null : ownerOfCode(domain, recoveryHash, deps);
}

async function ownerOfCode(
  domain: string,
  codeHash: string,
  deps: FormerDeps,
): Promise<Account | null> {
  for (const account of await ownAccountsOf(domain, deps)) {
    if (await deps.recoveryCodes.hasRecoveryCode(account.id, codeHash)) return account;
  }
  return null;
}

function showPage(
  { http, interaction, request }: InteractionContext,
  shown: Pick<FormerRecordPageProps, "record" | "code">,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Promise<HttpResponse> {
  const { id, domain, query } = interaction;
  const props = {
    ...{ domain, ...shown },
    action: stepPath(id, "former-record"),
    signInAgain: `/oauth/authorize?${query}`,
    newRecord: stepPath(id, "dns-setup"),
  };
  return page(status, formerRecordPage(pagesFor(http, request), props), headers);
}

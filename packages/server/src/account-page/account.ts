// The account page: what the owner of a domain can see.

import type { Control, ControlResult, ShownCheck } from "../account/control.ts";
import { accountSignIn } from "../clients/account-client.ts";
import type { Clients } from "../clients/client.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { requesterAt } from "../http/requester.ts";
import { page, seeOther } from "../http/responses.ts";
import { pagesWithout } from "../interaction/pending-request.ts";
import type { Clock } from "../lib/clock.ts";
import { UnavailableError } from "../lib/errors.ts";
import { permissionsOfGrant } from "../oauth/grant-resources.ts";
import {
  type AccountChoice,
  type AccountPageProps,
  accountPage,
  chooseAccountPage,
  type HeldAccount,
  signedOutPage,
} from "../pages/account.ts";
import type { ShownApp } from "../pages/account-entries.ts";
import type { ShownEvent, ShownHistory } from "../pages/account-events.ts";
import type { ShownDns } from "../pages/account-state.ts";
import type { BrowserSessions } from "../sessions/browser-sessions.ts";
import type { AccountChanges } from "../sign-in/account-change.ts";
import type { SignalsOf } from "../sign-in/passkey-signals.ts";
import type { FormerAccounts } from "../sign-in/set-up/former-record.ts";
import type { RecoveryCodeStore } from "../store/code-sets.ts";
import type { Grant } from "../store/grant-row.ts";
import type { GrantStore } from "../store/grants.ts";
import type { HistoryEntry, HistoryStore } from "../store/history-entries.ts";
import type { PasskeyStore } from "../store/passkeys.ts";
import type { SessionStore } from "../store/sessions.ts";
import { OWN_SP } from "../store/shared-values.ts";
import {
  accountPath,
  accountSessions,
  canAuthenticate,
  isFresh,
  namedSessions,
  type OwnerSession,
} from "./account-session.ts";
import { type ListPart, pageThatFits, partOf } from "./list-parts.ts";

/** A zone can contain any number of records of any length. */
const MAX_RECORDS = 2;
const MAX_VALUE_LENGTH = 400;
/** An entry of the history has half of the octets of an entry of the other lists. */
const EVENTS_PER_SIZE = 2;
const DAY_S = 86_400;

interface Deps {
  readonly issuer: string;
  readonly browserSessions: BrowserSessions;
  readonly control: Control;
  readonly sessions: SessionStore;
  readonly grants: GrantStore;
  readonly recoveryCodes: RecoveryCodeStore;
  readonly passkeys: PasskeyStore;
  readonly histories: HistoryStore;
  /** For how many days the history is kept. */
  readonly historyDays: number;
  readonly clients: Clients;
  readonly accountChanges: AccountChanges;
  readonly formerAccounts: FormerAccounts;
  readonly signalsOf: SignalsOf;
  readonly clock: Clock;
}

type Look = NonNullable<ShownCheck["look"]>;
type AccountView = Omit<AccountPageProps, "ended" | "signIn" | "others" | "former">;

export function createAccountPage(deps: Deps) {
  const { issuer, browserSessions, control, sessions, grants, recoveryCodes, passkeys } = deps;
  const { histories, historyDays, clients, accountChanges, formerAccounts, signalsOf, clock } =
    deps;
  return { redirectToAccount, showAccount };

  /** GET of the paths that only take POST, and of those to which a sign-in for a change leads. */
  function redirectToAccount(): HttpResponse {
    return seeOther("/account");
  }

  /** GET /account for `domain`, or for the only account. A former account also needs `session`. */
  async function showAccount(http: HttpRequest): Promise<HttpResponse> {
    const query = new URLSearchParams(http.query);
    const domain = query.get("domain");
    const { live, resting, ended, cleared } = await browserSessions.read(http);
    const all = accountSessions(live, resting);
    const named = namedSessions(all, { domain, session: query.get("session") });
    const pages = pagesWithout(http);
    const headers = cleared.length === 0 ? {} : { "set-cookie": cleared };
    const [own] = named;
    if (own === undefined) {
      // Not a redirect to the sign-in if the person has just left it, or must be told something.
      const isBack = query.has("error") || query.has("signed_out") || ended.length > 0;
      const signIn = accountSignIn(issuer, domain === null ? {} : { domain });
      if (!isBack) return seeOther(signIn);
      const left = ended.find((one) => one.domain === domain)?.domain ?? null;
      const isLeft = left !== null && !all.some(({ account }) => account.domain === left);
      // There, `ended` is shown as well.
      if (all.length > 0 && !isLeft) return seeOther("/account");
      const notSignedIn = all.length > 0 ? left : null;
      return page(200, signedOutPage(pages, { signIn, ended, notSignedIn }), headers);
    }
    const signIn = accountSignIn(issuer);
    if (named.length > 1) {
      const accounts = all.map(choiceOf);
      return page(200, chooseAccountPage(pages, { accounts, signIn, ended }), headers);
    }
    const isOfDomain = ({ account }: OwnerSession) => account.domain === own.account.domain;
    const former = all.filter((one) => one.isFormer && isOfDomain(one));
    const check = await control.checkAndShow(own.account, requesterAt(http.clientAddress, true));
    const body = await pageThatFits(async (size) =>
      accountPage(pages, {
        ...(await accountView({ own, query, size }, check)),
        ...{ ended, signIn, others: !all.every(isOfDomain) },
        former: own.isFormer ? [] : former.map(accountPath),
      }),
    );
    if (check.result.control === "held") await browserSessions.touch(own.session);
    return page(200, body, headers);
  }

  /** `check` is what DNS says of the account now. */
  async function accountView(part: ListPart, { result, look }: ShownCheck): Promise<AccountView> {
    const { own } = part;
    const { session, account, isFormer } = own;
    const now = clock.seconds();
    const [granted, open, known] = await Promise.all([
      grants.grantsOf(account.id, now),
      sessions.sessionsOf(account.id, now),
      sessions.knownBrowsersOf(account.id, now),
    ]);
    const apps = partOf("apps", appsOf(granted), part);
    const openPart = partOf("sessions", open, part);
    const browsers = partOf("browsers", known, part);
    const nameApp = async (app: App) => ({ ...app, name: await clientNameOf(app.clientId) });
    return {
      domain: account.domain,
      session: isFormer ? session.sid : null,
      canEndOthers: isFresh(own, now) || canAuthenticate(own, result),
      record: recordOf(own, result),
      dns: look === null ? null : await recordsIn(own, { result, look }),
      apps: await Promise.all(apps.items.map(nameApp)),
      moreApps: apps.more,
      sessions: openPart.items.map(({ sid, browser: name, since, lastUsedAt }) => {
        return { sid, name, since, lastUsedAt, isThis: sid === session.sid };
      }),
      moreSessions: openPart.more,
      browsers: browsers.items.map(({ deviceId, browser: name, since, lastUsedAt }) => {
        return { deviceId, name, since, lastUsedAt };
      }),
      moreBrowsers: browsers.more,
      showsMoreBrowsers: part.query.has("browsers"),
      held: result.control === "held" ? await heldAccount(part) : null,
    };
  }

  /** The sign-in records that DNS contains; null if it is not known. */
  async function recordsIn(
    own: OwnerSession,
    { result, look }: { readonly result: ControlResult; readonly look: Look },
  ): Promise<ShownDns | null> {
    const { name, records, checkedAt } = look;
    const ours = records.filter(
      ({ problems }) => !problems.some(({ code }) => code === "not_ours"),
    );
    if (result.control === "unknown" && ours.length === 0) return null;
    const values = ours.slice(0, MAX_RECORDS).map(({ value }) => shortened(value));
    return { name, values, checkedAt, better: await betterRecord(own, result, look) };
  }

  /** What the owner should publish to use the account again, or could publish in a signed zone. */
  async function betterRecord(
    { account, isFormer }: OwnerSession,
    { control }: ControlResult,
    look: Look,
  ): Promise<ShownDns["better"]> {
    if (account.sp !== OWN_SP || isFormer) return null;
    if (control === "lost") {
      return { reason: "lost", value: (await formerAccounts.recordToRestore(account)).value };
    }
    const isSecure = look.outcome === "own" && look.assurance === "secure";
    if (control !== "held" || !isSecure || look.spk.length > 0) return null;
    const { value } = await accountChanges.recordOf(account, { jkt: look.jkt, isSecure });
    return { reason: "signed", value };
  }

  async function heldAccount(part: ListPart): Promise<HeldAccount> {
    const { id, domain, sp } = part.own.account;
    const [unused, codeSet, keys, history, signals] = await Promise.all([
      recoveryCodes.countRecoveryCodesOf(id),
      recoveryCodes.recoveryCodeSet(id),
      passkeys.passkeysOf(id),
      historyOf(part),
      signalsOf.account(id),
    ]);
    const about = codeSet === null ? {} : { about: codeSet };
    const listed = partOf("passkeys", keys, part);
    return {
      provider: sp === OWN_SP ? null : new URL(sp).host,
      passkeys: listed.items.map(({ thumbprint, name, createdAt: since, lastUsedAt }) => {
        const change = { domain, change: "remove-passkey", about: thumbprint } as const;
        return { thumbprint, name, since, lastUsedAt, remove: accountSignIn(issuer, change) };
      }),
      morePasskeys: listed.more,
      addPasskey: accountSignIn(issuer, { domain, change: "new-passkey" }),
      recoveryCodes: unused,
      newCodes: accountSignIn(issuer, { domain, change: "new-codes", ...about }),
      history,
      deleteAccount: accountSignIn(issuer, { domain, change: "delete-account" }),
      signals,
    };
  }

  async function historyOf({ own, query, size }: ListPart): Promise<ShownHistory> {
    const { id, domain } = own.account;
    const since = clock.seconds() - historyDays * DAY_S;
    const before = query.get("before");
    const limit = size * EVENTS_PER_SIZE;
    const entries = await histories.historyOf(id, {
      since,
      limit: limit + 1,
      ...(before !== null && { before }),
    });
    const events = entries.slice(0, limit);
    const oldest = entries.length > limit ? events.at(-1) : undefined;
    const older = oldest && new URLSearchParams({ domain, before: oldest.id });
    return {
      since,
      events: await Promise.all(events.map(shownEvent)),
      older: older === undefined ? null : `/account?${older}#history-title`,
      isOpen: before !== null,
    };
  }

  async function shownEvent(entry: HistoryEntry): Promise<ShownEvent> {
    const { at, detail } = entry;
    const clientId = "client_id" in detail ? detail.client_id : null;
    return {
      at,
      event: eventOf(entry),
      ...(clientId !== null && { client: await clientNameOf(clientId) }),
      ...("name" in detail && { passkey: detail.name }),
    };
  }

  async function clientNameOf(clientId: string): Promise<string> {
    // The name in a document is not verified and would have to be fetched; its host says who it is.
    if (URL.canParse(clientId) && clientId.includes("://")) return new URL(clientId).host;
    const client = await clients.find(clientId).catch((error) => {
      if (error instanceof UnavailableError) throw error;
      return null;
    });
    return client?.name ?? clientId;
  }
}

function choiceOf(one: OwnerSession): AccountChoice {
  const { account, isFormer } = one;
  return { domain: account.domain, path: accountPath(one), isFormer };
}

function recordOf({ isFormer }: OwnerSession, result: ControlResult): AccountPageProps["record"] {
  if (result.control === "held") return { state: "held", checkedAt: result.checkedAt };
  return { state: isFormer ? "former" : result.control };
}

function shortened(value: string): string {
  return value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
}

type App = Omit<ShownApp, "name">;

/** The grants of each client together, the most recent client first. */
function appsOf(granted: readonly Grant[]): App[] {
  const apps = new Map<string, App>();
  for (const grant of granted) {
    const { clientId, createdAt, rotatedAt } = grant;
    const known = apps.get(clientId);
    const lastUsedAt = Math.max(rotatedAt ?? createdAt, known?.lastUsedAt ?? 0);
    const scopes = [
      ...new Set([...(known?.scopes ?? []), ...permissionsOfGrant(grant.scope, grant.resources)]),
    ];
    const since = Math.min(createdAt, known?.since ?? createdAt);
    apps.set(clientId, { clientId, scopes, since, lastUsedAt });
  }
  return [...apps.values()];
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
    case "set_up_reused":
      return detail.of === "challenge" ? "challenge_reused" : kind;
    default:
      return kind;
  }
}

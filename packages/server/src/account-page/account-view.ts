// What the account page shows of an account.

import type { Control, ControlResult } from "../account/control.ts";
import { accountSignIn } from "../clients/account-client.ts";
import { permissionsOfGrant } from "../oauth/grant-resources.ts";
import type { AccountPageProps, HeldAccount } from "../pages/account.ts";
import type { ShownApp, ShownSession } from "../pages/account-entries.ts";
import type { Grant } from "../store/grant-row.ts";
import { OWN_SP } from "../store/shared-values.ts";
import { accountHistory } from "./account-history.ts";
import { partOf, type Shown } from "./account-lists.ts";
import { type AccountSession, canAuthenticate, isFresh } from "./account-session.ts";
import { clientNameOf } from "./client-name.ts";
import type { Deps } from "./deps.ts";

export type ViewDeps = Pick<
  Deps,
  | ("sessions" | "grants" | "recoveryCodes" | "passkeys" | "histories" | "historyDays")
  | ("issuer" | "clients" | "clock")
>;

/** A zone can contain any number of records of any length. */
const MAX_RECORDS = 2;
const MAX_VALUE_LENGTH = 400;

type Checked = Awaited<ReturnType<Control["checkAndShow"]>>;

/** `checked` is what DNS says of the account now. */
export async function accountView(
  shown: Shown,
  { result, look }: Checked,
  deps: ViewDeps,
): Promise<
  Pick<
    AccountPageProps,
    | ("domain" | "session" | "canEndOthers" | "record" | "dns" | "held")
    | ("apps" | "moreApps" | "sessions" | "moreSessions" | "browsers" | "moreBrowsers")
  >
> {
  const { own } = shown;
  const { session, account, isFormer } = own;
  const { sessions, grants, clock } = deps;
  const now = clock.seconds();
  const [granted, all, known] = await Promise.all([
    grants.grantsOf(account.id, now),
    sessions.sessionsOf(account.id, now),
    sessions.knownBrowsersOf(account.id, now),
  ]);
  const apps = partOf("apps", appsOf(granted), shown);
  const open = partOf("sessions", all, shown);
  const browsers = partOf("browsers", known, shown);
  return {
    domain: account.domain,
    session: isFormer ? session.sid : null,
    canEndOthers: isFresh(own, now) || canAuthenticate(own, result),
    record: recordOf(own, result),
    dns: look === null ? null : foundIn(look, result),
    apps: await Promise.all(
      apps.items.map(async (app) => ({
        ...app,
        name: await clientNameOf(app.clientId, deps),
      })),
    ),
    moreApps: apps.more,
    sessions: open.items.map(({ sid, browser: name, since, lastUsedAt }): ShownSession => {
      return { sid, name, since, lastUsedAt, isThis: sid === session.sid };
    }),
    moreSessions: open.more,
    browsers: browsers.items.map(({ deviceId, browser: name, since, lastUsedAt }) => {
      return { deviceId, name, since, lastUsedAt };
    }),
    moreBrowsers: browsers.more,
    held: result.control === "held" ? await heldAccount(shown, deps) : null,
  };
}

async function heldAccount(shown: Shown, deps: ViewDeps): Promise<HeldAccount> {
  const { issuer, recoveryCodes: codes, passkeys } = deps;
  const { account } = shown.own;
  const { id, domain, sp } = account;
  const [recoveryCodes, codeSet, keys, history] = await Promise.all([
    codes.countRecoveryCodesOf(id),
    codes.recoveryCodeSet(id),
    passkeys.passkeysOf(id),
    accountHistory(account, shown, deps),
  ]);
  const about = codeSet === null ? {} : { about: codeSet };
  const listed = partOf("passkeys", keys, shown);
  return {
    provider: sp === OWN_SP ? null : new URL(sp).host,
    passkeys: listed.items.map(({ thumbprint, name, createdAt: since, lastUsedAt }) => {
      const change = { domain, change: "remove-passkey", about: thumbprint } as const;
      return { thumbprint, name, since, lastUsedAt, remove: accountSignIn(issuer, change) };
    }),
    morePasskeys: listed.more,
    addPasskey: accountSignIn(issuer, { domain, change: "new-passkey" }),
    recoveryCodes,
    newCodes: accountSignIn(issuer, { domain, change: "new-codes", ...about }),
    history,
    deleteAccount: accountSignIn(issuer, { domain, change: "delete-account" }),
  };
}

function recordOf({ isFormer }: AccountSession, result: ControlResult): AccountPageProps["record"] {
  if (result.control === "held") return { state: "held", checkedAt: result.checkedAt };
  return { state: isFormer ? "former" : result.control };
}

/** The sign-in records that DNS contains; null if it is not known. */
function foundIn(
  { name, records }: NonNullable<Checked["look"]>,
  { control }: ControlResult,
): AccountPageProps["dns"] {
  const own = records.filter(({ problems }) => !problems.some(({ code }) => code === "not_ours"));
  if (control === "unknown" && own.length === 0) return null;
  const values = own.slice(0, MAX_RECORDS).map(({ value }) => value);
  return { name, values: values.map((value) => shortened(value)) };
}

function shortened(value: string): string {
  return value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH)}…` : value;
}

/** The grants of each client together, the most recent client first. */
function appsOf(granted: readonly Grant[]): Omit<ShownApp, "name">[] {
  const apps = new Map<string, Omit<ShownApp, "name">>();
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

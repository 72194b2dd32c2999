// What the account page shows of an account.

import type { ControlResult } from "../interaction/control.ts";
import { accountSignIn } from "../oauth/account-client.ts";
import type { AccountPageProps, ShownApp, ShownSession } from "../pages/account.ts";
import type { Grant } from "../store/grants.ts";
import { OWN_SP } from "../store/shared-values.ts";
import { accountHistory } from "./account-history.ts";
import { type AccountSession, isFresh } from "./account-session.ts";
import { clientNameOf } from "./client-name.ts";
import type { Deps } from "./deps.ts";

export type ViewDeps = Pick<
  Deps,
  | ("sessions" | "grants" | "recoveryCodes" | "passkeys" | "histories" | "historyDays")
  | ("issuer" | "clients" | "control" | "clock")
>;

/** `before` is the id of an entry of the history: only older ones are shown. */
export async function accountView(
  own: AccountSession,
  before: string | null,
  deps: ViewDeps,
): Promise<
  Pick<
    AccountPageProps,
    | "domain"
    | "session"
    | "canEndOthers"
    | "record"
    | "apps"
    | "sessions"
    | "provider"
    | "passkeys"
    | "recoveryCodes"
    | "newCodes"
    | "history"
  >
> {
  const { session, account, isFormer } = own;
  const { sessions, grants, recoveryCodes: codes, passkeys, control, clock } = deps;
  const now = clock.seconds();
  const [result, granted, all, codesLeft, codeSet, keys, history] = await Promise.all([
    control.check(account),
    grants.grantsOf(account.id, now),
    sessions.sessionsOf(account.id, now),
    codes.countRecoveryCodesOf(account.id),
    codes.recoveryCodeSet(account.id),
    passkeys.passkeysOf(account.id),
    accountHistory(account, before, deps),
  ]);
  const { domain } = account;
  return {
    domain,
    session: isFormer ? session.sid : null,
    // An authentication would be of the account that the record names now.
    canEndOthers: !isFormer || isFresh(own, now),
    record: recordOf(own, result),
    apps: await Promise.all(
      appsOf(granted).map(async (app) => ({
        ...app,
        name: await clientNameOf(app.clientId, deps),
      })),
    ),
    sessions: all.map(({ sid, browser: name, since, lastUsedAt }): ShownSession => {
      return { sid, name, since, lastUsedAt, isThis: sid === session.sid };
    }),
    provider: account.sp === OWN_SP ? null : new URL(account.sp).host,
    passkeys: keys.map(({ thumbprint, name, createdAt: since, lastUsedAt }) => {
      const change = { domain, change: "remove-passkey", about: thumbprint } as const;
      return { thumbprint, name, since, lastUsedAt, remove: accountSignIn(deps.issuer, change) };
    }),
    // Only the person who controls the domain now is told.
    recoveryCodes: result.control === "held" ? codesLeft : null,
    newCodes: accountSignIn(deps.issuer, {
      ...{ domain, change: "new-codes" },
      ...(codeSet !== null && { about: codeSet }),
    }),
    history,
  };
}

function recordOf({ isFormer }: AccountSession, result: ControlResult): AccountPageProps["record"] {
  if (result.control === "held") return { state: "held", checkedAt: result.checkedAt };
  return { state: isFormer ? "former" : result.control };
}

/** The grants of each client together, the most recent client first. */
function appsOf(granted: readonly Grant[]): Omit<ShownApp, "name">[] {
  const apps = new Map<string, Omit<ShownApp, "name">>();
  for (const { clientId, scope, createdAt, rotatedAt } of granted) {
    const known = apps.get(clientId);
    const lastUsedAt = Math.max(rotatedAt ?? createdAt, known?.lastUsedAt ?? 0);
    const scopes = [...new Set([...(known?.scopes ?? []), ...scope.split(" ")])];
    const since = Math.min(createdAt, known?.since ?? createdAt);
    apps.set(clientId, { clientId, scopes, since, lastUsedAt });
  }
  return [...apps.values()];
}

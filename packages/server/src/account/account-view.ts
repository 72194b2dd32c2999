// What the account page shows of an account.

import type { LiveSession } from "../interaction/session.ts";
import { UnavailableError } from "../lib/errors.ts";
import type { AccountPageProps, ShownApp, ShownSession } from "../pages/account.ts";
import type { Grant } from "../store/grants.ts";
import type { Deps } from "./deps.ts";

export async function accountView(
  { session, account }: LiveSession,
  deps: Pick<
    Deps,
    "sessions" | "grants" | "recoveryCodes" | "passkeys" | "clients" | "control" | "clock"
  >,
): Promise<
  Pick<AccountPageProps, "domain" | "record" | "apps" | "sessions" | "passkeys" | "recoveryCodes">
> {
  const { sessions, grants, recoveryCodes, passkeys, control, clock } = deps;
  const now = clock.seconds();
  const [result, granted, all, codesLeft, keys] = await Promise.all([
    control.check(account),
    grants.grantsOf(account.id, now),
    sessions.sessionsOf(account.id, now),
    recoveryCodes.countRecoveryCodesOf(account.id),
    passkeys.passkeysOf(account.id),
  ]);
  const { domain } = account;
  const record =
    result.control === "held"
      ? ({ state: "held", checkedAt: result.checkedAt } as const)
      : ({ state: result.control } as const);
  return {
    domain,
    record,
    apps: await Promise.all(appsOf(granted).map((app) => shownApp(app, deps))),
    sessions: all.map(({ sid, browser, since, lastUsedAt }): ShownSession => {
      const [name = "unknown", system = "unknown"] = browser.split(" ");
      return { sid, name, system, since, lastUsedAt, isThis: sid === session.sid };
    }),
    passkeys: keys.map(({ name: text, createdAt, lastUsedAt }) => {
      const [name = "unknown", system = "unknown"] = text.split(" ");
      return { name, system, since: createdAt, lastUsedAt };
    }),
    // Only the person who controls the domain now is told.
    recoveryCodes: result.control === "held" ? codesLeft : null,
  };
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

async function shownApp(
  app: Omit<ShownApp, "name">,
  { clients }: Pick<Deps, "clients">,
): Promise<ShownApp> {
  const { clientId } = app;
  // The name in a document is not verified and would have to be fetched; its host says who it is.
  if (URL.canParse(clientId) && clientId.includes("://")) {
    return { ...app, name: new URL(clientId).host };
  }
  const client = await clients.find(clientId).catch((error) => {
    if (error instanceof UnavailableError) throw error;
    return null;
  });
  return { ...app, name: client?.name ?? clientId };
}

// The accounts that commands work on: their database, and the domain or the account that an operator names.

import { type AccountAccess, createAccountAccess } from "../account/account-access.ts";
import { type DomainNameOptions, readDomain } from "../account/domain-name.ts";
import { type ConfigSources, markPathOf, readSettings } from "../config/config.ts";
import { OperatorError } from "../lib/errors.ts";
import { isoTime } from "../lib/iso-time.ts";
import { timeOrderedId } from "../lib/random.ts";
import { english } from "../pages/languages.ts";
import { type Account, statusOf } from "../store/accounts.ts";
import type { NewHistoryEntry } from "../store/history-entries.ts";
import { OWN_SP } from "../store/shared-values.ts";
import { type CommandDatabase, withReadyDatabase } from "./command-database.ts";
import { printable, RefusalError, type Status } from "./command-frame.ts";

interface AccountDatabase extends CommandDatabase {
  readonly access: AccountAccess;
  record(entry: NewHistoryEntry): Promise<void>;
}

/** Runs `task` on the database of the command, once the database can be used. */
export function openAccounts(
  sources: ConfigSources,
  task: (database: AccountDatabase) => Promise<Status>,
): Promise<Status> {
  const settings = readSettings(sources, ["database", "mark", "session_idle_days"]);
  const { database, sessionIdleDays } = settings;
  const run = (own: CommandDatabase) => {
    const { store, clock, random } = own;
    const record = (entry: NewHistoryEntry) =>
      store.histories.recordHistory([
        { ...entry, id: timeOrderedId(clock, random), at: clock.seconds() },
      ]);
    return task({ ...own, access: createAccountAccess({ ...store, clock }), record });
  };
  const options = { days: { sessionIdleDays }, mark: markPathOf(settings) };
  return withReadyDatabase(database, run, options);
}

/** The argument of every command on accounts, and what `--help` says about it. */
export const ACCOUNT_ARGUMENT = ["<domain>", "a domain, or the sub of an account"] as const;

/** All accounts of the domain, newest first, or the one with the sub. */
export async function findAccounts(
  typed: string,
  store: CommandDatabase["store"],
): Promise<readonly Account[]> {
  const name = typed.trim();
  // No domain can begin like this: "_" is not allowed in one.
  if (/^sub_/.test(name)) {
    const account = await store.accounts.readAccount(name);
    if (account !== null) return [account];
    throw new RefusalError(printable(`there is no account with the sub ${name}`));
  }
  const domain = readAccountDomain(name);
  const accounts = await store.accountAdmin.everyAccountOf(domain);
  if (accounts.length > 0) return accounts;
  throw new RefusalError(`${domain} has no account here`);
}

/** The only account that has not ended. A change must not guess which of several is meant. */
export async function findOneAccount(
  typed: string,
  store: CommandDatabase["store"],
): Promise<Account> {
  const accounts = await findAccounts(typed, store);
  const open = accounts.filter(({ endedAt }) => endedAt === null);
  const [account, ...others] = open;
  if (account !== undefined && others.length === 0) return account;
  const { domain = "" } = accounts[0] ?? {};
  const lines = (account === undefined ? accounts : open).map((one) => `  ${inALine(one)}`);
  const why =
    account === undefined
      ? `every matching account of ${domain} has already ended:`
      : `${domain} has ${open.length} accounts; name one of them by its sub:`;
  throw new RefusalError([why, ...lines].join("\n"));
}

/**
 * Accepts names that can no longer sign in, because an account can be older than the settings. Refuses a URL: its host
 * may not be the domain that is meant.
 */
function readAccountDomain(name: string): string {
  if (/[/?#]/.test(name)) {
    const [, host = ""] =
      /^(?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?(?:[^/?#]*@)?([^/?#:]*)/i.exec(name) ?? [];
    const hint = host === "" ? "" : `, such as ${host}`;
    throw new OperatorError(printable(`${name} is a URL: name the domain alone${hint}`));
  }
  const lower = name.toLowerCase().replace(/\.$/, "");
  return readDomainOrThrow(name, {
    allowedSpecialNames: lower.split(".").slice(-1),
    allowedPrivateSuffixes: [lower],
  });
}

/** In A-labels, lower case, without a final dot. Throws `OperatorError` if it cannot sign in. */
export function readDomainOrThrow(typed: string, config: DomainNameOptions): string {
  const input = readDomain(typed, config);
  if (input.ok) return input.domain;
  const { summary, details } = english().explanation(`domainMistakes-${input.mistake}`, {
    domain: input.about,
    example: `alice.${input.about}`,
  });
  throw new OperatorError([summary, ...details].join(" "));
}

/** An account as the JSON of `accounts`. Times are in epoch seconds. `sp` is null for this service. */
export function accountView(account: Account) {
  const { id, domain, sp, acct, createdAt, asleepSince, endedAt } = account;
  return {
    sub: id,
    domain,
    status: statusOf(account),
    sp: sp === OWN_SP ? null : sp,
    acct,
    created_at: createdAt,
    asleep_since: asleepSince,
    ended_at: endedAt,
  };
}

export function inALine(account: Account): string {
  const { id, domain, sp, createdAt, asleepSince, endedAt } = account;
  const status = statusOf(account);
  const since = { live: null, asleep: asleepSince, ended: endedAt }[status];
  return [
    domain,
    id,
    since === null ? status : `${status} since ${isoTime(since)}`,
    `created ${isoTime(createdAt)}`,
    ...(sp === OWN_SP ? [] : [`sp ${sp}`]),
  ].join("  ");
}

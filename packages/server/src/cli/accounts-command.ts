// `domain-signin accounts`: lists accounts, signs their owners out, and ends accounts.

import { InvalidArgumentError, Option } from "commander";
import { OperatorError } from "../lib/errors.ts";
import { isoTime } from "../lib/iso-time.ts";
import { ACCOUNT_STATUSES, type Account, type AccountStatus } from "../store/accounts.ts";
import {
  ACCOUNT_ARGUMENT,
  accountView,
  findAccounts,
  findOneAccount,
  inALine,
  openAccounts,
} from "./account-records.ts";
import { wholeNumber } from "./client-options.ts";
import type { CommandDatabase } from "./command-database.ts";
import {
  type Call,
  databaseCommands,
  type GivenOptions,
  printable,
  RefusalError,
} from "./command-frame.ts";
import type { Terminal } from "./terminal.ts";

const DEFAULT_PAGE = 100;
const MAX_PAGE = 10_000;
/** How many entries of the history `show` prints. */
const MAX_HISTORY = 100;

interface ListOptions extends GivenOptions {
  readonly status?: AccountStatus;
  readonly after?: string;
  readonly limit?: number;
}

export const addCommand = databaseCommands({
  open: openAccounts,
  commands: [
    {
      usage: "list",
      about: "list accounts, in the order of their subs",
      configure: (command) =>
        command
          .addOption(
            new Option("--status <status>", "list only accounts with this status").choices(
              ACCOUNT_STATUSES,
            ),
          )
          .option(
            "--after <sub>",
            "list the accounts after this sub, the last one on the previous page",
          )
          .option("--limit <number>", `accounts per page (default: ${DEFAULT_PAGE})`, pageSize),
      async run({ store }, { options }: Call<ListOptions>) {
        const { status = null, after = null, limit = DEFAULT_PAGE } = options;
        const page = await store.accountAdmin.listAccounts({ status, after, limit });
        const json = { accounts: page.accounts.map(accountView), next: page.next };
        const lines = page.accounts.map(inALine);
        if (page.next !== null) lines.push(`more accounts follow: add --after ${page.next}`);
        return { json, text: lines.join("\n") || "no accounts" };
      },
    },
    {
      usage: "show",
      about: "show all accounts of a domain, with their sessions, grants and history",
      argument: ACCOUNT_ARGUMENT,
      async run(database, { argument }) {
        const overviews = [];
        for (const account of await findAccounts(argument, database.store)) {
          overviews.push(await overviewOf(account, database));
        }
        const json = overviews.map(({ account, ...more }) => ({
          ...accountView(account),
          ...more,
        }));
        return { json, text: overviews.map(describe).join("\n\n") };
      },
    },
    {
      usage: "sign-out",
      about:
        "end all sessions of an account and forget its browsers; the next sign-in needs a passkey or a recovery code",
      argument: ACCOUNT_ARGUMENT,
      configure: (command) => command.option("--apps", "also revoke the access of all apps"),
      async run({ store, access, record, audit }, { options, argument }) {
        const { id: accountId, domain } = await findOneAccount(argument, store);
        const { sessions, browsers } = await access.signOutEverywhere(accountId, "operator");
        const apps = options.apps === true;
        const grants = apps ? (await access.revokeApps(accountId, null)).grants : 0;
        await audit({ command: "accounts sign-out", accountId, domain, apps });
        await record({ accountId, kind: "operator_signed_out", detail: {} });
        if (apps) {
          await record({ accountId, kind: "operator_revoked", detail: { client_id: null } });
        }
        const json = { sub: accountId, domain, sessions, browsers, grants };
        const text = `signed out ${domain} (${accountId}): ended ${sessions} sessions, forgot ${browsers} browsers, revoked ${grants} grants`;
        return { json, text };
      },
    },
    {
      usage: "end",
      about:
        "end an account permanently, with everything that belongs to it; the owner of the domain can create a new one, with a new sub",
      argument: ACCOUNT_ARGUMENT,
      configure: (command) => command.option("--yes", "do not ask for confirmation"),
      async run({ store, clock, access, record, audit, terminal }, { options, argument }) {
        const account = await findOneAccount(argument, store);
        const { id: accountId, domain } = account;
        if (!options.yes && !(await isConfirmed(account, terminal))) {
          throw new RefusalError("nothing was changed");
        }
        const endedAt = clock.seconds();
        if (!(await access.endAccount(accountId, endedAt))) {
          throw new RefusalError(`${accountId} has just been ended by another request`);
        }
        await audit({ command: "accounts end", accountId, domain });
        await record({ accountId, kind: "account_ended", detail: { by: "operator" } });
        const json = { sub: accountId, domain, ended_at: endedAt };
        return { json, text: `ended ${accountId} of ${domain}` };
      },
    },
  ],
});

async function isConfirmed({ id, domain }: Account, terminal: Terminal): Promise<boolean> {
  const typed = await terminal.ask(
    `This permanently ends account ${id} of ${domain}. Apps will no longer recognize its owner.\nType the domain to confirm: `,
  );
  if (typed !== null) return typed.trim().toLowerCase() === domain;
  throw new OperatorError(
    "cannot ask for confirmation without a terminal: add --yes to end the account",
  );
}

type Overview = Awaited<ReturnType<typeof overviewOf>>;

async function overviewOf(account: Account, { store, clock }: CommandDatabase) {
  const now = clock.seconds();
  const history = await store.histories.historyOf(account.id, { since: 0, limit: MAX_HISTORY });
  const isLive = account.endedAt === null;
  return {
    account,
    sessions: isLive ? await store.sessions.countSessionsOf(account.id, now) : 0,
    browsers: isLive ? await store.sessions.countBrowsersOf(account.id, now) : 0,
    passkeys: (await store.passkeys.passkeysOf(account.id)).length,
    recovery_codes: await store.recoveryCodes.countRecoveryCodesOf(account.id),
    grants: isLive ? (await store.grants.grantsOf(account.id, now)).length : 0,
    history: history.map(({ at, kind, detail }) => ({ at, kind, detail })),
  };
}

function describe({ account, history, ...numbers }: Overview) {
  const { sessions, browsers, passkeys, recovery_codes: codes, grants } = numbers;
  return [
    inALine(account),
    `  sessions: ${sessions}  browsers: ${browsers}  passkeys: ${passkeys}  unused recovery codes: ${codes}  grants: ${grants}`,
    ...history.map((entry) => `  ${describeEntry(entry)}`),
  ].join("\n");
}

function describeEntry({ at, kind, detail }: Overview["history"][number]) {
  const details = Object.entries(detail).map(([name, value]) => `${name}=${String(value)}`);
  return printable([isoTime(at), kind, ...details].join("  "));
}

function pageSize(text: string): number {
  const limit = wholeNumber(text);
  if (limit >= 1 && limit <= MAX_PAGE) return limit;
  throw new InvalidArgumentError(`Must be from 1 to ${MAX_PAGE}.`);
}

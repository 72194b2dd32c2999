// `domain-signin grants`: lists and revokes the access that apps have to accounts.

import { clientView } from "../clients/client-registry.ts";
import { OperatorError } from "../lib/errors.ts";
import { isoTime } from "../lib/iso-time.ts";
import type { Account } from "../store/accounts.ts";
import type { Grant } from "../store/grant-row.ts";
import type { Store } from "../store/store.ts";
import { ACCOUNT_ARGUMENT, findAccounts, findOneAccount, openAccounts } from "./account-records.ts";
import {
  type Call,
  databaseCommands,
  type GivenOptions,
  printable,
  RefusalError,
} from "./command-frame.ts";

interface RevokeOptions extends GivenOptions {
  readonly client?: string;
  readonly all?: boolean;
}

export const addCommand = databaseCommands({
  open: openAccounts,
  commands: [
    {
      usage: "list",
      about: "list the apps that have access to an account",
      argument: ACCOUNT_ARGUMENT,
      async run({ store, clock }, { argument }) {
        const now = clock.seconds();
        const grants = [];
        for (const account of await findAccounts(argument, store)) {
          if (account.endedAt !== null) continue;
          const names = new Map<string, string | null>();
          for (const grant of await store.grants.grantsOf(account.id, now)) {
            const { clientId } = grant;
            if (!names.has(clientId)) names.set(clientId, await nameOf(clientId, store));
            grants.push(grantView(grant, account, names.get(clientId) ?? null));
          }
        }
        return { json: grants, text: grants.map(describe).join("\n") || "no app has access" };
      },
    },
    {
      usage: "revoke",
      about:
        "revoke the access of one app or of all apps to an account; its tokens are refused at once",
      argument: ACCOUNT_ARGUMENT,
      configure: (command) =>
        command.option("--client <client_id>", "the app").option("--all", "all apps"),
      check({ options: { client, all = false } }: Call<RevokeOptions>) {
        if ((client === undefined) === all) return;
        throw new OperatorError("specify one app with --client, or all apps with --all");
      },
      async run({ store, access, record, audit }, { options, argument }: Call<RevokeOptions>) {
        const { client: clientId = null } = options;
        const { id: accountId, domain } = await findOneAccount(argument, store);
        const revoked = await access.revokeApps(accountId, clientId);
        if (!revoked.hadAccess) {
          const which = clientId === null ? "no app" : `no app with the client_id ${clientId}`;
          throw new RefusalError(printable(`${which} has access to ${domain}`));
        }
        await audit({ command: "grants revoke", accountId, domain, clientId });
        await record({ accountId, kind: "operator_revoked", detail: { client_id: clientId } });
        const json = { sub: accountId, domain, client_id: clientId, grants: revoked.grants };
        return { json, text: `revoked ${revoked.grants} grants of ${domain} (${accountId})` };
      },
    },
  ],
});

/** Null for a client with a metadata document, whose name is not stored. */
async function nameOf(clientId: string, store: Store): Promise<string | null> {
  const row = await store.registrations.findClient(clientId);
  return row && clientView(row).name;
}

/** A grant as the JSON of `grants list`. Times are in epoch seconds. */
function grantView(grant: Grant, { id, domain }: Account, clientName: string | null) {
  const { clientId, scope, createdAt, rotatedAt, expiresAt } = grant;
  return {
    sub: id,
    domain,
    client_id: clientId,
    client_name: clientName,
    scope,
    since: createdAt,
    /** When tokens were last issued; null if the code was not redeemed. */
    last_used_at: rotatedAt,
    expires_at: expiresAt,
  };
}

function describe(grant: ReturnType<typeof grantView>): string {
  const { domain, client_id, client_name, scope, since, last_used_at } = grant;
  const used = last_used_at === null ? "never used" : `last used ${isoTime(last_used_at)}`;
  const name = client_name === null ? [] : [client_name];
  return printable([domain, client_id, ...name, scope, `since ${isoTime(since)}`, used].join("  "));
}

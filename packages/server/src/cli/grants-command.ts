// `domain-signin grants`: lists and revokes the access that apps have to accounts.

import type { Command } from "commander";
import { revokeApps } from "../account/account-access.ts";
import { clientView } from "../clients/client-registry.ts";
import { OperatorError } from "../lib/errors.ts";
import { isoTime } from "../lib/iso-time.ts";
import type { Account } from "../store/accounts.ts";
import type { Grant } from "../store/grant-row.ts";
import { aggregatesOf, type Store } from "../store/store.ts";
import { ACCOUNT_ARGUMENT, findAccounts, findOneAccount } from "./account-argument.ts";
import { withAccounts } from "./account-database.ts";
import { answer, type CommandContext, printable, refuse } from "./command-context.ts";
import { databaseCommand, type GivenOptions } from "./setting-options.ts";

interface RevokeOptions extends GivenOptions {
  readonly client?: string;
  readonly all?: true;
}

export function addCommand(grants: Command, context: CommandContext): void {
  addListCommand(grants, context);
  addRevokeCommand(grants, context);
}

function addListCommand(grants: Command, context: CommandContext): void {
  databaseCommand(grants, "list", "list the apps that have access to an account")
    .argument(...ACCOUNT_ARGUMENT)
    .action(
      context.action((typed: string, options: GivenOptions) =>
        withAccounts(options, context, async ({ store, clock }) => {
          const accounts = await findAccounts(typed, store);
          if ("refusal" in accounts) return refuse(context, accounts.refusal);
          const now = clock.seconds();
          const listed = [];
          for (const account of accounts.found) {
            if (account.endedAt !== null) continue;
            const names = new Map<string, string | null>();
            for (const grant of await store.grantsOf(account.id, now)) {
              const { clientId } = grant;
              if (!names.has(clientId)) names.set(clientId, await nameOf(clientId, store));
              listed.push(grantView(grant, account, names.get(clientId) ?? null));
            }
          }
          const text = listed.map(describe).join("\n") || "no app has access";
          return answer(context, options, { json: listed, text });
        }),
      ),
    );
}

function addRevokeCommand(grants: Command, context: CommandContext): void {
  const about =
    "revoke the access of one app or of all apps to an account; its tokens are refused at once";
  databaseCommand(grants, "revoke", about)
    .argument(...ACCOUNT_ARGUMENT)
    .option("--client <client_id>", "the app")
    .option("--all", "all apps")
    .action(
      context.action(async (typed: string, options: RevokeOptions) => {
        const { client: clientId = null, all = false } = options;
        if ((clientId === null) !== all) {
          throw new OperatorError("specify one app with --client, or all apps with --all");
        }
        return withAccounts(options, context, async ({ store, clock, record }) => {
          const account = await findOneAccount(typed, store);
          if ("refusal" in account) return refuse(context, account.refusal);
          const { id: accountId, domain } = account.found;
          const deps = { ...aggregatesOf(store), clock };
          const revoked = await revokeApps({ accountId, clientId }, deps);
          const which = clientId === null ? "no app" : `no app with the client_id ${clientId}`;
          if (!revoked.hadAccess)
            return refuse(context, printable(`${which} has access to ${domain}`));
          await context.audit({ command: "grants revoke", accountId, domain, clientId });
          await record({ accountId, kind: "operator_revoked", detail: { client_id: clientId } });
          const json = { sub: accountId, domain, client_id: clientId, grants: revoked.grants };
          const text = `revoked ${revoked.grants} grants of ${domain} (${accountId})`;
          return answer(context, options, { json, text });
        });
      }),
    );
}

/** Null for a client with a metadata document, whose name is not stored. */
async function nameOf(clientId: string, store: Store): Promise<string | null> {
  const row = await store.findClient(clientId);
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

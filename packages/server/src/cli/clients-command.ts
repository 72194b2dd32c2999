// `domain-signin clients`: adds, changes, lists and removes clients.

import {
  changesIn,
  clientOptions,
  describe,
  overlapOption,
  overlapSeconds,
  rotatedSecret,
} from "./client-options.ts";
import { openRegistries } from "./command-database.ts";
import { type CommandAnswer, databaseCommands, RefusalError } from "./command-frame.ts";

/** For clients with the default, RS256. */
const ABOUT_ES256 =
  "If the app's library accepts ES256, as most do, --id-token-signed-response-alg ES256 saves this service about a millisecond of processor time for each sign-in.";

export const addCommand = databaseCommands({
  open: openRegistries,
  missing: (id) => `client not found: ${id}`,
  commands: [
    {
      usage: "add",
      about: "register a client; its secret is shown only once",
      configure: (command) =>
        clientOptions(command, { defaults: true }).option(
          "--public",
          "client without a secret, such as a single-page or mobile app; needs PKCE",
        ),
      make: true,
      async run({ clients, databaseName, audit }, { options }) {
        const { name = "", redirect_uris = [], ...settings } = changesIn(options);
        const type = options.public ? "public" : "confidential";
        const client = await clients.add({ name, redirect_uris, type, ...settings });
        await audit({ command: "clients add", clientId: client.client_id });
        const lines = [describe(client), `registered in ${databaseName}`];
        const hasDefault = settings.id_token_signed_response_alg === undefined;
        if (hasDefault && client.scope.split(" ").includes("openid")) lines.push(ABOUT_ES256);
        return { json: client, text: lines.join("\n") };
      },
    },
    {
      usage: "update <client_id>",
      about: "change settings of a client",
      configure: clientOptions,
      async run({ clients, audit }, { options, argument: id }) {
        const client = await clients.update(id, changesIn(options));
        if (client !== null) await audit({ command: "clients update", clientId: id });
        return answerOf(client);
      },
    },
    {
      usage: "rotate-secret <client_id>",
      about:
        "create a new client secret, shown only once; the old one stays valid during the overlap",
      configure: overlapOption,
      async run({ clients, audit }, { options, argument: id }) {
        const rotated = await clients.rotateSecret(id, overlapSeconds(options));
        if (rotated === null) return null;
        await audit({ command: "clients rotate-secret", clientId: id });
        return rotatedSecret(rotated);
      },
    },
    {
      usage: "end-secret <client_id>",
      about: "end the former secret of a client before its overlap is over",
      async run({ clients, audit }, { argument: id }) {
        const ended = await clients.endSecret(id);
        if (ended === null) return null;
        if (!ended) throw new RefusalError(`client ${id} has no former secret`);
        await audit({ command: "clients end-secret", clientId: id });
        const text = `ended the former secret of ${id}\nRunning services refuse it within five seconds.`;
        return { json: { client_id: id, ended }, text };
      },
    },
    {
      usage: "list",
      about: "list all clients",
      async run({ clients, databaseName }) {
        const all = await clients.list();
        const lines = all.map(({ client_id, type, name }) => `${client_id}  ${type}  ${name}`);
        const none = `no clients in ${databaseName}; to add one, see: domain-signin clients add --help`;
        return { json: all, text: lines.join("\n") || none };
      },
    },
    {
      usage: "show <client_id>",
      about: "show a client",
      run: async ({ clients }, { argument: id }) => answerOf(await clients.show(id)),
    },
    {
      usage: "remove <client_id>",
      about: "remove a client and revoke its grants",
      async run({ clients, audit }, { argument: id }) {
        if (!(await clients.remove(id))) return null;
        await audit({ command: "clients remove", clientId: id });
        return { json: { client_id: id, removed: true }, text: `removed ${id}` };
      },
    },
  ],
});

function answerOf(client: object | null): CommandAnswer | null {
  return client && { json: client, text: describe(client) };
}

// `domain-signin resources`: adds, changes, lists and removes resources, the APIs that access tokens are made for.

import { type Command, InvalidArgumentError, Option } from "commander";
import { RESOURCE_DEFAULTS, type ResourceInput } from "../clients/client-registration.ts";
import type { RegisteredResource } from "../clients/resource.ts";
import { describe, overlapOption, overlapSeconds, rotatedSecret } from "./client-options.ts";
import { openRegistries } from "./command-database.ts";
import { type CommandAnswer, databaseCommands, type GivenOptions } from "./command-frame.ts";

type ResourceOptions = GivenOptions & {
  readonly name?: string;
  readonly scope?: ResourceInput["scopes"];
  readonly signingAlg?: ResourceInput["signing_alg"];
};

export const addCommand = databaseCommands({
  open: openRegistries,
  missing: (uri) => `resource not found: ${uri}`,
  commands: [
    {
      usage: "add <resource>",
      about: "register an API; its secret for introspection is shown only once",
      configure: settings,
      make: true,
      async run({ resources, databaseName, audit }, { options, argument: uri }) {
        const { name = "", ...rest } = changesIn(options);
        const added = await resources.add(uri, { name, ...rest });
        await audit({ command: "resources add", resource: uri });
        return { json: added, text: `${described(added)}\nregistered in ${databaseName}` };
      },
    },
    {
      usage: "update <resource>",
      about: "change settings of a resource",
      configure: settings,
      async run({ resources, audit }, { options, argument: uri }) {
        const updated = await resources.update(uri, changesIn(options));
        if (updated !== null) await audit({ command: "resources update", resource: uri });
        return answerOf(updated);
      },
    },
    {
      usage: "rotate-secret <resource>",
      about: "create a new secret, shown only once; the old one stays valid during the overlap",
      configure: overlapOption,
      async run({ resources, clients, audit }, { options, argument: uri }) {
        const id = await resources.idOf(uri);
        const rotated = id && (await clients.rotateSecret(id, overlapSeconds(options)));
        if (!rotated) return null;
        await audit({ command: "resources rotate-secret", resource: uri });
        return rotatedSecret(rotated);
      },
    },
    {
      usage: "end-secret <resource>",
      about: "end the previous secret before its overlap is over",
      async run({ resources, clients, audit }, { argument: uri }) {
        const id = await resources.idOf(uri);
        if (id === null) return null;
        const ended = (await clients.endSecret(id)) === true;
        if (ended) await audit({ command: "resources end-secret", resource: uri });
        const text = ended
          ? `ended the previous secret of ${uri}`
          : `${uri} has no previous secret`;
        return { json: { resource: uri, ended }, text };
      },
    },
    {
      usage: "list",
      about: "list all resources",
      async run({ resources, databaseName }) {
        const all = await resources.list();
        const lines = all.map(({ resource, name }) => `${resource}  ${name}`);
        const none = `no resources in ${databaseName}; to add one, see: domain-signin resources add --help`;
        return { json: all, text: lines.join("\n") || none };
      },
    },
    {
      usage: "show <resource>",
      about: "show a resource",
      run: async ({ resources }, { argument: uri }) => answerOf(await resources.show(uri)),
    },
    {
      usage: "remove <resource>",
      about: "remove a resource: no more access tokens are made for it",
      async run({ resources, clients, audit }, { argument: uri }) {
        const id = await resources.idOf(uri);
        if (id === null || !(await clients.remove(id))) return null;
        await audit({ command: "resources remove", resource: uri });
        return { json: { resource: uri, removed: true }, text: `removed ${uri}` };
      },
    },
  ],
});

function settings(command: Command): Command {
  return command
    .option("--name <name>", "name shown on the consent page")
    .option(
      "--scope <scope=description>",
      "scope, and what it allows, as the consent page says it; repeatable",
      addScope,
    )
    .addOption(
      new Option(
        "--signing-alg <algorithm>",
        `signature algorithm of access tokens (default: ${RESOURCE_DEFAULTS.signing_alg})`,
      ).choices(["ES256", "RS256", "EdDSA"]),
    );
}

function addScope(text: string, others: NonNullable<ResourceInput["scopes"]> = []) {
  const equals = text.indexOf("=");
  if (equals < 1) throw new InvalidArgumentError('Must be like "notes:read=Read your notes".');
  return [...others, { name: text.slice(0, equals), description: text.slice(equals + 1) }];
}

function changesIn({ name, scope, signingAlg }: ResourceOptions): Partial<ResourceInput> {
  return {
    ...(name !== undefined && { name }),
    ...(scope !== undefined && { scopes: scope }),
    ...(signingAlg !== undefined && { signing_alg: signingAlg }),
  };
}

function answerOf(resource: Described | null): CommandAnswer | null {
  return resource && { json: resource, text: described(resource) };
}

type Described = object & { readonly scopes?: RegisteredResource["scopes"] };

function described({ scopes, ...others }: Described): string {
  const texts = scopes?.map(({ name, description }) => `${name}=${description}`);
  return describe({ ...others, ...(texts && { scopes: texts.join(", ") }) });
}

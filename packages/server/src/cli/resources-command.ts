// `domain-signin resources`: adds, changes, lists and removes resources, the APIs that access tokens are made for.

import { type Command, InvalidArgumentError, Option } from "commander";
import { type ClientRegistry, clientRegistry } from "../clients/client-registry.ts";
import type { RegisteredResource } from "../clients/resource.ts";
import { RESOURCE_DEFAULTS, type ResourceInput } from "../clients/resource-registration.ts";
import { type ResourceRegistry, resourceRegistry } from "../clients/resource-registry.ts";
import { SERVICE_SCOPES } from "../clients/scopes.ts";
import { markPathOf } from "../config/mark-path.ts";
import { isoTime } from "../lib/iso-time.ts";
import { describe, overlapSeconds, SECRET_NOTE, withOverlap } from "./client-options.ts";
import {
  type Answer,
  answer,
  answerFound,
  type CommandContext,
  type Status,
} from "./command-context.ts";
import { withDatabase } from "./command-database.ts";
import { databaseCommand, type GivenOptions, settingsOf } from "./setting-options.ts";

interface Registries {
  readonly resources: ResourceRegistry;
  /** Manages the secrets of resources too. */
  readonly clients: ClientRegistry;
  readonly databaseName: string;
}

type ResourceOptions = GivenOptions & {
  readonly name?: string;
  readonly scope?: ResourceInput["scopes"];
  readonly signingAlg?: ResourceInput["signing_alg"];
  readonly overlap?: number;
};

export function addCommand(resources: Command, context: CommandContext): void {
  addRegistrationCommands(resources, context);
  addSecretCommands(resources, context);
  addListCommands(resources, context);
}

function addRegistrationCommands(resources: Command, context: CommandContext): void {
  const about = "register an API; its secret for introspection is shown only once";
  settings(databaseCommand(resources, "add <resource>", about)).action(
    context.action((uri: string, options: ResourceOptions) =>
      withRegistries(
        options,
        context,
        async (own) => {
          const { name = "", ...rest } = changesIn(options);
          const added = await own.resources.add(uri, { name, ...rest });
          await context.audit({ command: "resources add", resource: uri });
          const text = `${described(added)}\nregistered in ${own.databaseName}`;
          return answer(context, options, { json: added, text });
        },
        // This can be the first command of an installation.
        { make: true },
      ),
    ),
  );

  const update = databaseCommand(resources, "update <resource>", "change settings of a resource");
  settings(update).action(
    onResource(context, async (own, uri, options) => {
      const updated = await own.resources.update(uri, changesIn(options));
      if (updated !== null) await context.audit({ command: "resources update", resource: uri });
      return updated && { json: updated, text: described(updated) };
    }),
  );
}

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

function addSecretCommands(resources: Command, context: CommandContext): void {
  const about = "create a new secret, shown only once; the old one stays valid during the overlap";
  withOverlap(databaseCommand(resources, "rotate-secret <resource>", about)).action(
    onResource(context, async (own, uri, options) => {
      const id = await own.resources.idOf(uri);
      const json = id && (await own.clients.rotateSecret(id, overlapSeconds(options)));
      if (!json) return null;
      await context.audit({ command: "resources rotate-secret", resource: uri });
      const end = isoTime(json.former_secret_expires_at);
      const text = `${describe({ ...json, former_secret_expires_at: end })}\n${SECRET_NOTE}`;
      return { json, text };
    }),
  );

  const aboutEnd = "end the previous secret before its overlap is over";
  databaseCommand(resources, "end-secret <resource>", aboutEnd).action(
    onResource(context, async (own, uri) => {
      const id = await own.resources.idOf(uri);
      if (id === null) return null;
      const ended = (await own.clients.endSecret(id)) === true;
      if (ended) await context.audit({ command: "resources end-secret", resource: uri });
      const text = ended ? `ended the previous secret of ${uri}` : `${uri} has no previous secret`;
      return { json: { resource: uri, ended }, text };
    }),
  );
}

function addListCommands(resources: Command, context: CommandContext): void {
  databaseCommand(resources, "list", "list all resources").action(
    context.action((options: ResourceOptions) =>
      withRegistries(options, context, async (own) => {
        const all = await own.resources.list();
        const lines = all.map(({ resource, name }) => `${resource}  ${name}`);
        const none = `no resources in ${own.databaseName}; to add one, see: domain-signin resources add --help`;
        return answer(context, options, { json: all, text: lines.join("\n") || none });
      }),
    ),
  );

  databaseCommand(resources, "show <resource>", "show a resource").action(
    onResource(context, async (own, uri) => {
      const shown = await own.resources.show(uri);
      return shown && { json: shown, text: described(shown) };
    }),
  );

  const about = "remove a resource: no more access tokens are made for it";
  databaseCommand(resources, "remove <resource>", about).action(
    onResource(context, async (own, uri) => {
      const id = await own.resources.idOf(uri);
      if (id === null || !(await own.clients.remove(id))) return null;
      await context.audit({ command: "resources remove", resource: uri });
      return { json: { resource: uri, removed: true }, text: `removed ${uri}` };
    }),
  );
}

/** An action on the resource that the first argument names; `task` returns null if there is none. */
function onResource(
  context: CommandContext,
  task: (own: Registries, uri: string, options: ResourceOptions) => Promise<Answer | null>,
) {
  return context.action((uri: string, options: ResourceOptions) =>
    withRegistries(options, context, async (own) => {
      const found = await task(own, uri, options);
      return answerFound(context, options, found, `resource not found: ${uri}`);
    }),
  );
}

async function withRegistries(
  options: GivenOptions,
  { terminal }: CommandContext,
  task: (own: Registries) => Promise<Status>,
  { make = false } = {},
): Promise<Status> {
  const found = settingsOf(options, terminal, ["database", "mark"]);
  return withDatabase(
    found.database,
    (own) => {
      const resources = resourceRegistry({ ...own, reserved: SERVICE_SCOPES });
      return task({ resources, clients: clientRegistry(own), databaseName: own.name });
    },
    { make, mark: markPathOf(found) },
  );
}

type Described = object & { readonly scopes?: RegisteredResource["scopes"] };

function described({ scopes, ...others }: Described): string {
  const texts = scopes?.map(({ name, description }) => `${name}=${description}`);
  return describe({ ...others, ...(texts && { scopes: texts.join(", ") }) });
}

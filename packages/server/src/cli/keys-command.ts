// `domain-signin keys`: lists, rotates and revokes the keys of the service.

import { Option } from "commander";
import { readKeysConfig } from "../config/config.ts";
import { type KeyRegistry, keyRegistry, type ListedKey } from "../keys/key-registry.ts";
import { SELF_ROTATING } from "../keys/stored-keys.ts";
import { OperatorError } from "../lib/errors.ts";
import { isoTime } from "../lib/iso-time.ts";
import { type CommandDatabase, sealFrom, withDatabase } from "./command-database.ts";
import {
  type Call,
  type CommandAnswer,
  type CommandContext,
  databaseCommands,
  type GivenOptions,
  RefusalError,
} from "./command-frame.ts";

type KeyOutcome = Awaited<ReturnType<KeyRegistry["rotate" | "promote"]>>["outcome"];

interface Keys extends CommandDatabase, CommandContext {
  readonly registry: KeyRegistry;
}
interface RotateOptions extends GivenOptions {
  readonly purpose?: (typeof PURPOSES)[number] | typeof STATEMENT;
}

const STATEMENT = "provider-statement";
/** Of the keys that are rotated and ended without the records of domains. */
const PURPOSES = [...SELF_ROTATING, "grant-token"] as const;

export const addCommand = databaseCommands<Omit<Keys, keyof CommandContext>>({
  open(sources, task) {
    const config = readKeysConfig(sources);
    const seal = sealFrom(config);
    return withDatabase(
      config.database,
      (own) => task({ ...own, registry: keyRegistry({ ...own, ...own.store, seal }) }),
      { mark: config.markPath },
    );
  },
  commands: [
    {
      usage: "list",
      about: "list the keys and their states; shows kid only if the secret is set",
      async run({ registry, databaseName }) {
        const keys = await registry.list();
        const none = `no keys in ${databaseName}: the service creates them on its first start`;
        return { json: keys, text: keys.map(describe).join("\n") || none };
      },
    },
    {
      usage: "rotate",
      about:
        "add the next key, which becomes current one day later; for provider-statement, make the standby current at once; requires the secret",
      configure: (command) =>
        command.addOption(
          new Option("--purpose <purpose>", "purpose of the key (default: es256)").choices([
            ...SELF_ROTATING,
            STATEMENT,
            "grant-token",
          ]),
        ),
      async run(keys, { options: { purpose = "es256" } }: Call<RotateOptions>) {
        if (purpose === STATEMENT) return promote(keys);
        const { registry, audit } = keys;
        const { outcome } = await registry.rotate(purpose);
        if (outcome !== "rotated") throw new RefusalError(REFUSALS[outcome](purpose));
        await audit({ command: "keys rotate", purpose });
        const rotated = await keysOf(registry, purpose);
        return { json: rotated, text: `${rotated.map(describe).join("\n")}\n${NOTE}` };
      },
    },
    {
      usage: "revoke",
      about:
        "end a key at once; for a statement key, list the domains whose records must change; requires the secret",
      argument: ["<key>", "its kid, or its purpose and id as in grant-token/1 (see keys list)"],
      async run(keys, { argument: name }) {
        const key = (await keys.registry.list()).find(
          ({ kid, purpose, id }) => name === kid || name === `${purpose}/${id}`,
        );
        return key === undefined || key.purpose === STATEMENT
          ? revoke(key?.kid ?? name, keys)
          : end(key, keys);
      },
    },
  ],
});

async function promote({ registry, audit }: Keys): Promise<CommandAnswer> {
  const promoted = await registry.promote();
  const { outcome } = promoted;
  if (outcome === "promoted" || outcome === "no_standby") {
    await audit({ command: "keys rotate", purpose: STATEMENT });
  }
  if (outcome !== "promoted") throw new RefusalError(REFUSALS[outcome](STATEMENT));
  const rotated = await keysOf(registry, STATEMENT);
  const domains = await registry.domainsNotListing(promoted.kid);
  const json = { keys: rotated, spk: spkOf(rotated), domains };
  const heading =
    "Domains whose records do not list the new key (apps get no provider proof for them):";
  const text = `${rotated.map(describe).join("\n")}\n${NOTE}\n${toChange(heading, json)}`;
  return { json, text };
}

/** Ends a MAC key, or a signing key that no record lists. */
async function end(
  { id, kid, ...key }: ListedKey,
  { registry, audit }: Keys,
): Promise<CommandAnswer> {
  const purpose = PURPOSES.find((known) => known === key.purpose);
  if (purpose === undefined) throw new RefusalError(`unknown purpose: ${key.purpose}`);
  const name = kid ?? `${purpose}/${id}`;
  const outcome = await registry.end({ purpose, id });
  if (outcome === "no_key") throw new RefusalError(REFUSALS.overtaken(purpose));
  if (outcome === "ids_used_up") throw new RefusalError(REFUSALS.ids_used_up(purpose));
  await audit({ command: "keys revoke", ...(kid === null ? { purpose, id } : { kid }) });
  const keys = await keysOf(registry, purpose);
  const json = { kid, purpose, id, revoked: true, keys };
  return { json, text: `${name} is revoked. ${NOTE}\n${keys.map(describe).join("\n")}` };
}

/** Repeatable: a key that is gone can still be listed in records. */
async function revoke(kid: string, { registry, audit }: Keys): Promise<CommandAnswer> {
  if (/^[a-z\d-]+\/\d{1,3}$/.test(kid)) {
    throw new RefusalError(`there is no key ${kid} (see domain-signin keys list)`);
  }
  if (!/^[\w-]{43}$/.test(kid)) {
    throw new OperatorError(
      "name the key by its kid, a thumbprint of 43 characters, or by its purpose and id, such as grant-token/1 (see domain-signin keys list)",
    );
  }
  const revoked = await registry.revoke(kid);
  if (revoked) await audit({ command: "keys revoke", kid });
  const domains = await registry.domainsListing(kid);
  if (!revoked && domains.length === 0) {
    throw new RefusalError(`there is no statement key ${kid}, and no record lists it`);
  }
  const json = { kid, revoked, spk: spkOf(await keysOf(registry, STATEMENT)), domains };
  const what = revoked ? `${kid} is revoked. ${NOTE}` : `${kid} is not a key of this service.`;
  const heading = "Domains whose records list it (its holder can sign provider proofs for them):";
  return { json, text: `${what}\n${toChange(heading, json)}` };
}

async function keysOf(registry: KeyRegistry, purpose: string) {
  return (await registry.list()).filter((key) => key.purpose === purpose);
}

/** The value of `spk` for records: the current key and the standby. */
function spkOf(keys: readonly ListedKey[]): string {
  return keys.flatMap(({ state, kid }) => (state === "retired" ? [] : (kid ?? []))).join();
}

function toChange(heading: string, { domains, spk }: { domains: readonly string[]; spk: string }) {
  if (domains.length === 0) return `${heading} none`;
  const list = domains.map((domain) => `  ${domain}`);
  return [heading, ...list, `Their records should contain spk=${spk}`].join("\n");
}

const NOTE = "Running services apply the change within a minute.";

const REFUSALS: Record<Exclude<KeyOutcome, "rotated" | "promoted">, (purpose: string) => string> = {
  has_next: (purpose) =>
    `${purpose} already has a next key; rotate again when it is current (see domain-signin keys list)`,
  no_keys: (purpose) =>
    `there is no key for ${purpose} yet: the service creates it on its first start`,
  no_standby: () => "the standby was missing and has been created: run this command again",
  too_soon: (purpose) =>
    `${purpose} was rotated less than a day ago, so records may still list only the previous pair of keys (to revoke a key, use domain-signin keys revoke)`,
  overtaken: () => "another process has just rotated this key: see domain-signin keys list",
  ids_used_up: (purpose) =>
    `${purpose} cannot be rotated again: all 255 key ids are used (a key id is one octet and is never reused)`,
};

function describe(key: ListedKey): string {
  const { purpose, id, kid, state, current_from, published_until } = key;
  return [
    purpose,
    String(id),
    state,
    ...(current_from === null ? [] : [currentFrom(current_from)]),
    ...(published_until === null ? [] : [`published until ${isoTime(published_until)}`]),
    ...(kid === null ? [] : [`kid ${kid}`]),
  ].join("  ");
}

function currentFrom(time: number): string {
  return time === 0 ? "current from the start" : `current from ${isoTime(time)}`;
}

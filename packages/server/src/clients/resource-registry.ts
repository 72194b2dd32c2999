// How the operator manages the registered resources.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { newSecret, type Random, randomText, sha256 } from "../lib/random.ts";
import type { ClientRow, ClientStore } from "../store/clients.ts";
import { isResourceRow, type RegisteredResource, readResource } from "./resource.ts";
import type { ResourceInput } from "./resource-registration.ts";

/** A resource for display to the operator. */
export type ResourceView = Omit<RegisteredResource, "secrets" | "uri"> & {
  readonly resource: string;
};

export interface ResourceRegistry {
  /** Returns the secret for introspection, which cannot be read again. Rejects with an `OperatorError`. */
  add(uri: string, input: ResourceInput): Promise<ResourceView & { client_secret: string }>;
  list(): Promise<ResourceView[]>;
  show(uri: string): Promise<ResourceView | null>;
  /** Replaces the settings in `changes`. Null if there is no such resource. Rejects with an `OperatorError`. */
  update(uri: string, changes: Partial<ResourceInput>): Promise<ResourceView | null>;
  /** The id of the row, which its secret and its removal are managed by; null if there is no such resource. */
  idOf(uri: string): Promise<string | null>;
}

export function resourceRegistry(deps: {
  readonly store: ClientStore;
  readonly clock: Clock;
  readonly random: Random;
  /** The scopes of the service, which no resource can have. */
  readonly reserved: readonly string[];
  /** Resolves when the database can be used. */
  readonly ready: Promise<unknown>;
}): ResourceRegistry {
  const { store, clock, random, reserved, ready } = deps;
  // Loaded on demand: a service that only reads resources starts without zod.
  const checks = () => import("./resource-registration.ts");
  return {
    async add(uri, input) {
      const { readResourceRegistration } = await checks();
      const registration = readResourceRegistration(uri, input, reserved);
      await ready;
      const secret = newSecret(random);
      const row = {
        id: `dsid_${randomText(random, 16)}`,
        resource: uri,
        registration: JSON.stringify(registration),
        secretHash: sha256(secret),
        formerSecretHash: null,
        formerSecretExpiresAt: null,
        createdAt: clock.seconds(),
        accessTokenHash: null,
        usedAt: null,
        expiresAt: null,
      };
      if (!(await store.addClient(row))) {
        throw new OperatorError(`the resource ${uri} is registered already`);
      }
      const { resource, client_id, ...settings } = viewOf(row);
      return { resource, client_id, client_secret: secret, ...settings };
    },
    async list() {
      await ready;
      return (await store.listResources()).filter(isResourceRow).map(viewOf);
    },
    async show(uri) {
      const row = await find(uri);
      return row && viewOf(row);
    },
    async update(uri, changes) {
      if (Object.keys(changes).length === 0) throw new OperatorError("no changes were given");
      const row = await find(uri);
      if (row === null) return null;
      const { readResourceRegistration } = await checks();
      const input = { ...JSON.parse(row.registration), ...changes };
      const to = JSON.stringify(readResourceRegistration(uri, input, reserved));
      if (await store.updateClient(row.id, { from: row.registration, to })) {
        return viewOf({ ...row, registration: to });
      }
      const problem = "was changed by another request: check it and try again";
      throw new OperatorError(`resource ${uri} ${problem}`);
    },
    idOf: async (uri) => (await find(uri))?.id ?? null,
  };

  async function find(uri: string) {
    await ready;
    const row = await store.findResource(uri);
    return row !== null && isResourceRow(row) ? row : null;
  }
}

function viewOf(row: ClientRow & { readonly resource: string }): ResourceView {
  const { secrets: _, uri: resource, client_id, ...settings } = readResource(row);
  return { resource, client_id, ...settings };
}

// How the operator manages the registered clients and resources.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { newSecret, type Random, randomText, sha256 } from "../lib/random.ts";
import type { ClientRow, ClientStore } from "../store/clients.ts";
import { type Client, readClient } from "./client.ts";
import type { ClientRegistrationInput, ResourceInput } from "./client-registration.ts";
import { newClientRow } from "./client-row.ts";
import { type RegisteredResource, type ResourceRegistration, readResource } from "./resource.ts";

/** A client for display to the operator, with the names of its registration. */
type ClientView = Omit<Client, "secrets">;

export function clientView(row: ClientRow): ClientView {
  const { secrets: _, client_id, ...registration } = readClient(row);
  return { client_id, ...registration };
}

type ResourceView = Omit<RegisteredResource, "secrets" | "uri"> & { readonly resource: string };

function resourceView(row: ClientRow): ResourceView {
  const { secrets: _, uri: resource, client_id, scopes, ...settings } = readResource(row);
  return { resource, client_id, ...settings, scopes: scopes.map(withoutId) };
}

function withoutId({ name, description }: RegisteredResource["scopes"][number]) {
  return { name, description };
}

export type ClientRegistry = ReturnType<typeof createRegistries>["clients"];
export type ResourceRegistry = ReturnType<typeof createRegistries>["resources"];

/** The type of a client cannot change, because it decides whether the client has a secret. */
export type ClientChanges = Partial<Omit<ClientRegistrationInput, "type">>;

interface Deps {
  readonly registrations: ClientStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Resolves when the database can be used. */
  readonly ready: Promise<unknown>;
}

/** Loaded on demand: a service that only reads clients starts without zod. */
const loadRegistration = () => import("./client-registration.ts");

export function createRegistries(deps: Deps) {
  const { registrations, clock, random, ready } = deps;
  const findRow = (id: string) => ready.then(() => registrations.findClient(id));
  const findResource = (uri: string) => ready.then(() => registrations.findResource(uri));
  const clients = {
    /** Returns the secret, which cannot be read again. Rejects with an `OperatorError`. */
    async add(
      input: ClientRegistrationInput,
    ): Promise<ClientView & { client_secret: string | null }> {
      const { makeClient } = await loadRegistration();
      const { row, secret } = makeClient(input, deps);
      await ready;
      await registrations.addClient(row);
      const { client_id, ...registration } = clientView(row);
      return { client_id, client_secret: secret, ...registration };
    },
    async list(): Promise<ClientView[]> {
      await ready;
      return (await registrations.listClients()).map(clientView);
    },
    async show(id: string): Promise<ClientView | null> {
      const row = await findRow(id);
      return row?.resource === null ? clientView(row) : null;
    },
    /** Replaces the settings in `changes`. Null if there is no such client. Rejects with an `OperatorError`. */
    async update(id: string, changes: ClientChanges): Promise<ClientView | null> {
      requireChanges(changes);
      const row = await findRow(id);
      if (row?.resource !== null) return null;
      if (row.accessTokenHash !== null) throw refuseOwn(id);
      const { readRegistration } = await loadRegistration();
      const former = JSON.parse(row.registration);
      const wanted = readRegistration({ ...former, ...changes }, former);
      return clientView(await replace(row, wanted, `client ${id}`));
    },
    /**
     * Creates a new secret, also of a resource. The previous one stays valid for `overlap` seconds, until
     * `former_secret_expires_at`, and any older one becomes invalid. Null if there is no such client.
     */
    async rotateSecret(id: string, overlap: number) {
      const row = await findRow(id);
      if (row === null) return null;
      if (row.accessTokenHash !== null) throw refuseOwn(id);
      const { secretHash: from } = row;
      if (from === null) throw new OperatorError(`client ${id} is public and has no secret`);
      const secret = newSecret(random);
      const now = clock.seconds();
      const formerExpiresAt = overlap === 0 ? null : now + overlap;
      // Recorded first: if this process is killed in between, the operator runs the command again.
      await recordEnded(id, [row.formerSecretHash, overlap === 0 ? from : null], now);
      const change = { from, to: sha256(secret), formerExpiresAt };
      if (!(await registrations.rotateClientSecret(id, change))) {
        throw new OperatorError(`the secret of client ${id} was rotated by another request`);
      }
      return { client_id: id, client_secret: secret, former_secret_expires_at: now + overlap };
    },
    /** Ends the previous secret before its overlap is over; false if there is none. Null if there is no such client. */
    async endSecret(id: string): Promise<boolean | null> {
      const row = await findRow(id);
      if (row === null) return null;
      if (row.formerSecretHash === null) return false;
      await registrations.recordEndedSecret(id, row.formerSecretHash, clock.seconds());
      return registrations.endFormerSecret(id, row.formerSecretHash);
    },
    /** Removes the client and revokes its grants, or removes the resource; false if there is none. */
    async remove(id: string): Promise<boolean> {
      const row = await findRow(id);
      const now = clock.seconds();
      // A restored backup must not make the secrets valid again.
      if (row !== null) await recordEnded(id, [row.secretHash, row.formerSecretHash], now);
      return registrations.removeClient(id, now);
    },
  };
  const resources = {
    /** Returns the secret for introspection, which cannot be read again. Rejects with an `OperatorError`. */
    async add(
      uri: string,
      input: ResourceInput,
    ): Promise<ResourceView & { client_secret: string }> {
      const { readResourceRegistration } = await loadRegistration();
      const registration = withScopeIds(readResourceRegistration(uri, input), []);
      await ready;
      const secret = newSecret(random);
      const row = newClientRow(registration, { secret, resource: uri }, deps);
      if (!(await registrations.addClient(row))) {
        throw new OperatorError(`the resource ${uri} is registered already`);
      }
      const { resource, client_id, ...settings } = resourceView(row);
      return { resource, client_id, client_secret: secret, ...settings };
    },
    async list(): Promise<ResourceView[]> {
      await ready;
      return (await registrations.listResources()).map(resourceView);
    },
    async show(uri: string): Promise<ResourceView | null> {
      const row = await findResource(uri);
      return row && resourceView(row);
    },
    /** Replaces the settings in `changes`. Null if there is no such resource. Rejects with an `OperatorError`. */
    async update(uri: string, changes: Partial<ResourceInput>): Promise<ResourceView | null> {
      requireChanges(changes);
      const row = await findResource(uri);
      if (row === null) return null;
      const { readResourceRegistration } = await loadRegistration();
      const { scopes } = readResource(row);
      const former = { ...JSON.parse(row.registration), scopes: scopes.map(withoutId) };
      const wanted = withScopeIds(readResourceRegistration(uri, { ...former, ...changes }), scopes);
      return resourceView(await replace(row, wanted, `resource ${uri}`));
    },
    /** The id for the secret and the removal of a resource; null if there is no such resource. */
    idOf: async (uri: string) => (await findResource(uri))?.id ?? null,
  };
  return { clients, resources };

  /** A scope keeps its id. A new one gets another id than any scope before it, also one of the same name. */
  function withScopeIds(
    registration: ResourceRegistration,
    former: ResourceRegistration["scopes"],
  ): ResourceRegistration {
    const scopes = registration.scopes.map((scope) => {
      const kept = former.find(({ name }) => name === scope.name);
      return { ...(kept ?? { id: randomText(random, 6) }), ...scope };
    });
    return { ...registration, scopes };
  }

  async function recordEnded(id: string, hashes: readonly (string | null)[], now: number) {
    for (const hash of hashes) {
      if (hash !== null) await registrations.recordEndedSecret(id, hash, now);
    }
  }

  async function replace(row: ClientRow, wanted: object, name: string): Promise<ClientRow> {
    const registration = JSON.stringify(wanted);
    const change = { from: row.registration, to: registration };
    if (await registrations.updateClient(row.id, change)) return { ...row, registration };
    throw new OperatorError(`${name} was changed by another request: check it and try again`);
  }
}

function requireChanges(changes: object): void {
  if (Object.keys(changes).length === 0) throw new OperatorError("no changes were given");
}

function refuseOwn(id: string): OperatorError {
  const problem = "registered itself, so nobody else can change its registration or its secret";
  return new OperatorError(`client ${id} ${problem}: remove it, or add a client of your own`);
}

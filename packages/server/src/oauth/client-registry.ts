// The operator's view of the clients: add, list, show, update, give a new secret, remove.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { type Random, sha256 } from "../lib/random.ts";
import type { ClientStore } from "../store/clients.ts";
import { clientView, newSecret, readClient } from "./client.ts";
import type { ClientRegistrationInput } from "./client-registration.ts";

/** A client as the operator sees it, in the names of its registration; never with its secret. */
export type ClientView = ReturnType<typeof clientView>;

export interface ClientRegistry {
  /** Rejects with `OperatorError` that lists every mistake. The secret is told this once. */
  add(input: ClientRegistrationInput): Promise<ClientView & { client_secret: string | null }>;
  list(): Promise<ClientView[]>;
  show(id: string): Promise<ClientView | null>;
  /**
   * Replaces the settings that `changes` names; null if there is no such client. Rejects with
   * `OperatorError` that lists every mistake.
   */
  update(id: string, changes: ClientChanges): Promise<ClientView | null>;
  /**
   * A new secret, told this once; the one that it replaces stays valid for `overlap` seconds, and any
   * older one ends. Null if there is no such client.
   */
  rotateSecret(id: string, overlap: number): Promise<RotatedSecret | null>;
  /** Removes the client and revokes its grants; false if there is none. */
  remove(id: string): Promise<boolean>;
}

/** A client's type decides whether it has a secret, and stays. */
export type ClientChanges = Partial<Omit<ClientRegistrationInput, "type">>;

export interface RotatedSecret {
  readonly client_id: string;
  readonly client_secret: string;
  /** In epoch seconds: the end of the secret before. */
  readonly former_secret_expires_at: number;
}

export function clientRegistry(parts: {
  store: ClientStore;
  clock: Clock;
  random: Random;
  /** The database can be used once this has resolved. */
  ready: Promise<unknown>;
}): ClientRegistry {
  const { store, clock, random, ready } = parts;
  return {
    async add(input) {
      const { makeClient } = await registrations();
      const { row, client, secret } = told(input, () => makeClient(input, parts));
      await ready;
      await store.addClient(row);
      const { client_id, ...registration } = clientView(client);
      return { client_id, client_secret: secret, ...registration };
    },
    async list() {
      await ready;
      return (await store.listClients()).map((row) => clientView(readClient(row)));
    },
    async show(id) {
      await ready;
      const row = await store.findClient(id);
      return row && clientView(readClient(row));
    },
    async update(id, changes) {
      if (Object.keys(changes).length === 0) throw new OperatorError("no changes were given");
      await ready;
      const row = await store.findClient(id);
      if (row === null) return null;
      const { clientRegistration } = await registrations();
      const wanted = { ...JSON.parse(row.registration), ...changes };
      const to = JSON.stringify(told(wanted, () => clientRegistration.parse(wanted)));
      if (!(await store.updateClient(id, { from: row.registration, to }))) {
        throw new OperatorError(
          `client ${id} was changed at the same time by another request: check it and try again`,
        );
      }
      return clientView(readClient({ ...row, registration: to }));
    },
    async rotateSecret(id, overlap) {
      await ready;
      const row = await store.findClient(id);
      if (row === null) return null;
      if (row.secretHash === null)
        throw new OperatorError(`client ${id} is public and has no secret`);
      const secret = newSecret(random);
      const formerExpiresAt = clock.seconds() + overlap;
      const change = { from: row.secretHash, to: sha256(secret), formerExpiresAt };
      if (!(await store.rotateClientSecret(id, change))) {
        throw new OperatorError(
          `the secret of client ${id} was rotated at the same time by another request`,
        );
      }
      return { client_id: id, client_secret: secret, former_secret_expires_at: formerExpiresAt };
    },
    async remove(id) {
      await ready;
      return store.removeClient(id, clock.seconds());
    },
  };
}

/** Loaded when an operator writes: a service that only reads starts without it. */
const registrations = () => import("./client-registration.ts");

/** What `make` gives, or every mistake in the input in words for the operator. */
function told<T>(input: ClientRegistrationInput, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new OperatorError(
      error.issues
        .map(({ path: [field, index], message }) => {
          const given = input[field as keyof ClientRegistrationInput];
          const about = Array.isArray(given) && typeof index === "number" ? ` ${given[index]}` : "";
          return `${String(field)} (${optionOf(String(field))})${about} ${message}`;
        })
        .join("\n"),
    );
  }
}

/** By which `clients add` and `clients update` take it; a list is an option for each of its members. */
function optionOf(field: string): string {
  return `--${field.replace(/s$/, "").replaceAll("_", "-")}`;
}

interface Refusal extends Error {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** An error of zod. */
function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && "issues" in error;
}

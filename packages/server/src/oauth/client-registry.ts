// Client management for the operator: add, list, show, update, rotate the secret, remove.

import type { ZodError } from "zod";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { type Random, sha256 } from "../lib/random.ts";
import type { ClientStore } from "../store/clients.ts";
import { clientView, newSecret, readClient } from "./client.ts";
import type { ClientRegistrationInput } from "./client-registration.ts";

/** A client for display, with the names of its registration and without its secrets. */
type ClientView = ReturnType<typeof clientView>;

export interface ClientRegistry {
  /** Returns the secret, which cannot be read again. Rejects with an `OperatorError`. */
  add(input: ClientRegistrationInput): Promise<ClientView & { client_secret: string | null }>;
  list(): Promise<ClientView[]>;
  show(id: string): Promise<ClientView | null>;
  /**
   * Replaces the settings in `changes`. Null if there is no such client. Rejects with an
   * `OperatorError` that lists all mistakes.
   */
  update(id: string, changes: ClientChanges): Promise<ClientView | null>;
  /**
   * Creates a new secret. The previous one stays valid for `overlap` seconds, and any older one
   * becomes invalid. Null if there is no such client.
   */
  rotateSecret(id: string, overlap: number): Promise<RotatedSecret | null>;
  /** Removes the client and revokes its grants; false if there is none. */
  remove(id: string): Promise<boolean>;
}

/** The type of a client cannot change, because it decides whether the client has a secret. */
export type ClientChanges = Partial<Omit<ClientRegistrationInput, "type">>;

interface RotatedSecret {
  readonly client_id: string;
  readonly client_secret: string;
  /** In epoch seconds. */
  readonly former_secret_expires_at: number;
}

export function clientRegistry(deps: {
  store: ClientStore;
  clock: Clock;
  random: Random;
  /** Resolves when the database can be used. */
  ready: Promise<unknown>;
}): ClientRegistry {
  const { store, clock, random, ready } = deps;
  return {
    async add(input) {
      const { makeClient } = await registrations();
      const { row, client, secret } = validated(input, () => makeClient(input, deps));
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
      const to = JSON.stringify(validated(wanted, () => clientRegistration.parse(wanted)));
      if (!(await store.updateClient(id, { from: row.registration, to }))) {
        throw new OperatorError(
          `client ${id} was changed by another request: check it and try again`,
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
        throw new OperatorError(`the secret of client ${id} was rotated by another request`);
      }
      return { client_id: id, client_secret: secret, former_secret_expires_at: formerExpiresAt };
    },
    async remove(id) {
      await ready;
      return store.removeClient(id, clock.seconds());
    },
  };
}

/** Loaded on demand: a service that only reads clients starts without zod. */
const registrations = () => import("./client-registration.ts");

/** Returns the result of `make`. Throws an `OperatorError` that lists all mistakes in the input. */
function validated<T>(input: ClientRegistrationInput, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!isZodError(error)) throw error;
    throw new OperatorError(
      error.issues
        .map(({ path: [field, index], message }) => {
          const value = input[field as keyof ClientRegistrationInput];
          const entry = Array.isArray(value) && typeof index === "number" ? ` ${value[index]}` : "";
          return `${String(field)} (${optionOf(String(field))})${entry} ${message}`;
        })
        .join("\n"),
    );
  }
}

/** The option of `clients add` and `clients update`. A list has one option for each entry. */
function optionOf(field: string): string {
  return `--${field.replace(/s$/, "").replaceAll("_", "-")}`;
}

function isZodError(error: unknown): error is ZodError {
  return error instanceof Error && "issues" in error;
}

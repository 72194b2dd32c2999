// The operator's view of the clients: add, list, show, remove.

import { z } from "zod";
import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import type { Random } from "../lib/random.ts";
import type { ClientStore } from "../store/store.ts";
import { type ClientRegistrationInput, clientView, makeClient, readClient } from "./client.ts";

/** A client as the operator sees it, in the names of its registration; never with its secret. */
export type ClientView = ReturnType<typeof clientView>;

export interface ClientRegistry {
  /** Rejects with `OperatorError` that lists every mistake. The secret is told this once. */
  add(input: ClientRegistrationInput): Promise<ClientView & { client_secret: string | null }>;
  list(): Promise<ClientView[]>;
  show(id: string): Promise<ClientView | null>;
  /** Removes the client and revokes its grants; false if there is none. */
  remove(id: string): Promise<boolean>;
}

export function clientRegistry(parts: {
  store: ClientStore;
  clock: Clock;
  random: Random;
  /** The database can be used once this has resolved. */
  ready: Promise<unknown>;
}): ClientRegistry {
  const { store, clock, ready } = parts;
  return {
    async add(input) {
      const { row, client, secret } = made(input, parts);
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
    async remove(id) {
      await ready;
      return store.removeClient(id, clock.seconds());
    },
  };
}

function made(input: ClientRegistrationInput, parts: { random: Random; clock: Clock }) {
  try {
    return makeClient(input, parts);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new OperatorError(
      error.issues
        .map(({ path: [field, index], message }) => {
          const given = input[field as keyof ClientRegistrationInput];
          const about = Array.isArray(given) && typeof index === "number" ? ` ${given[index]}` : "";
          return `${String(field)}${about} ${message}`;
        })
        .join("\n"),
    );
  }
}

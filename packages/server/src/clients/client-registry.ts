// How the operator manages the registered clients.

import type { Clock } from "../lib/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { newSecret, type Random, sha256 } from "../lib/random.ts";
import type { ClientRow, ClientStore } from "../store/clients.ts";
import { type Client, readClient } from "./client.ts";
import type { ClientRegistrationInput } from "./client-registration.ts";

/** A client for display to the operator, with the names of its registration. */
type ClientView = Omit<Client, "secrets">;

export function clientView(row: ClientRow): ClientView {
  const { secrets: _, client_id, ...registration } = readClient(row);
  return { client_id, ...registration };
}

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
   * Creates a new secret, also of a resource. The previous one stays valid for `overlap` seconds, and any older one
   * becomes invalid. Null if there is no such client.
   */
  rotateSecret(id: string, overlap: number): Promise<RotatedSecret | null>;
  /**
   * Ends the previous secret before its overlap is over. Null if there is no such client, false if it has no
   * previous secret.
   */
  endSecret(id: string): Promise<boolean | null>;
  /** Removes the client and revokes its grants, or removes the resource; false if there is none. */
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

/** Loaded on demand: a service that only reads clients starts without zod. */
const loadRegistration = () => import("./client-registration.ts");

export function clientRegistry(deps: {
  registrations: ClientStore;
  clock: Clock;
  random: Random;
  /** Resolves when the database can be used. */
  ready: Promise<unknown>;
}): ClientRegistry {
  const { registrations, clock, random, ready } = deps;
  const findRow = (id: string) => ready.then(() => registrations.findClient(id));
  async function find(id: string): Promise<ClientRow | null> {
    const row = await findRow(id);
    return row?.resource === null ? row : null;
  }
  return {
    async add(input) {
      const { makeClient } = await loadRegistration();
      const { row, secret } = makeClient(input, deps);
      await ready;
      await registrations.addClient(row);
      const { client_id, ...registration } = clientView(row);
      return { client_id, client_secret: secret, ...registration };
    },
    async list() {
      await ready;
      return (await registrations.listClients()).map(clientView);
    },
    async show(id) {
      const row = await find(id);
      return row && clientView(row);
    },
    async update(id, changes) {
      if (Object.keys(changes).length === 0) throw new OperatorError("no changes were given");
      const row = await find(id);
      if (row === null) return null;
      if (row.accessTokenHash !== null) throw refuseOwn(id);
      const { readRegistration } = await loadRegistration();
      const former = JSON.parse(row.registration);
      const wanted = readRegistration({ ...former, ...changes }, former);
      const to = JSON.stringify(wanted);
      if (await registrations.updateClient(id, { from: row.registration, to })) {
        return clientView({ ...row, registration: to });
      }
      const problem = "was changed by another request: check it and try again";
      throw new OperatorError(`client ${id} ${problem}`);
    },
    async rotateSecret(id, overlap) {
      const row = await findRow(id);
      if (row === null) return null;
      if (row.accessTokenHash !== null) throw refuseOwn(id);
      const { secretHash: from } = row;
      if (from === null) throw new OperatorError(`client ${id} is public and has no secret`);
      const secret = newSecret(random);
      const now = clock.seconds();
      const formerExpiresAt = overlap === 0 ? null : now + overlap;
      // Recorded first: if this process is killed in between, the operator runs the command again.
      const ending = [row.formerSecretHash, overlap === 0 ? from : null];
      for (const hash of ending)
        if (hash !== null) await registrations.recordEndedSecret(id, hash, now);
      if (
        !(await registrations.rotateClientSecret(id, { from, to: sha256(secret), formerExpiresAt }))
      ) {
        throw new OperatorError(`the secret of client ${id} was rotated by another request`);
      }
      return { client_id: id, client_secret: secret, former_secret_expires_at: now + overlap };
    },
    async endSecret(id) {
      const row = await findRow(id);
      if (row === null) return null;
      if (row.formerSecretHash === null) return false;
      await registrations.recordEndedSecret(id, row.formerSecretHash, clock.seconds());
      return registrations.endFormerSecret(id, row.formerSecretHash);
    },
    async remove(id) {
      const row = await findRow(id);
      const now = clock.seconds();
      // The client of a restored backup must not have them again.
      for (const hash of [row?.secretHash, row?.formerSecretHash]) {
        if (hash) await registrations.recordEndedSecret(id, hash, now);
      }
      return registrations.removeClient(id, now);
    },
  };
}

/** Of a client that registered itself. */
function refuseOwn(id: string): OperatorError {
  const problem = "registered itself, so nobody else can change its registration or its secret";
  return new OperatorError(`client ${id} ${problem}: remove it, or add a client of your own`);
}

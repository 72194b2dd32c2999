// Detects connection poolers that run the statements of one connection in several sessions of the server.

import { messageOf, UnavailableError } from "../lib/errors.ts";
import { within } from "../lib/within.ts";
import { clientOf } from "./postgres-connection.ts";

/** A connection for the check alone. */
export interface Probe {
  /** The session of the server that runs this. Null if there is no answer in time. */
  backend(): Promise<number | null>;
  /** Begins a transaction, which needs a session of its own. False if it is refused, null if the answer is late. */
  begin(): Promise<boolean | null>;
  close(): void;
}

/** An idle pooler gives a transaction the session that was used last, or the one that was idle for longest. */
const MAX_TRANSACTIONS = 5;

/**
 * Whether transactions on other connections can take the session of a connection. That is so with PgBouncer, unless
 * its `pool_mode` is `session`. Rejects with `UnavailableError` if the database does not answer.
 */
export async function sharesSessions(open: () => Promise<Probe>): Promise<boolean> {
  const opened: Probe[] = [];
  const next = async () => {
    const probe = await open();
    opened.push(probe);
    return probe;
  };
  try {
    const first = await next();
    const before = await first.backend();
    for (let count = 0; count < MAX_TRANSACTIONS; count++) {
      const begun = await (await next()).begin();
      // No transactions at all: PgBouncer with `pool_mode=statement`.
      if (begun === false) return true;
      // The pooler has no more sessions, although the first connection is idle: it keeps its own.
      if (begun === null) return false;
      const after = await first.backend();
      if (after === null) {
        throw new UnavailableError(
          "the database did not answer in time; if it is behind PgBouncer, set pool_mode=session",
        );
      }
      if (after !== before) return true;
    }
    return false;
  } finally {
    for (const probe of opened) probe.close();
  }
}

/** `timeout` in milliseconds, for each answer. */
export async function openProbe(url: string, timeout: number): Promise<Probe> {
  const client = clientOf(url, timeout);
  // Without a listener an error would end the process.
  client.on("error", () => {});
  const cut = () => client.connection.stream.destroy();
  try {
    await client.connect();
  } catch (cause) {
    cut();
    throw new UnavailableError(`cannot connect to the database: ${messageOf(cause)}`);
  }
  return {
    async backend() {
      const answer = await within(timeout, client.query("SELECT pg_backend_pid() AS pid"));
      return answer === null ? null : Number(answer.rows[0]?.pid);
    },
    begin() {
      const begun = client.query("BEGIN").then(
        () => true,
        () => false,
      );
      return within(timeout, begun);
    },
    // The server rolls the transaction back.
    close: cut,
  };
}

// Tests of the detection of poolers that share sessions, with poolers of several kinds.

import { expect, test } from "vitest";
import { UnavailableError } from "../lib/errors.ts";
import { type Probe, sharesSessions } from "./postgres-sessions.ts";

interface Pooler {
  /** Whether a connection keeps its session, as with `pool_mode=session`. */
  readonly keeps: boolean;
  /** The most sessions that the pooler opens. */
  readonly size: number;
  /** Sessions that it has already opened and that are idle. */
  readonly idle: number;
  /** Takes the session that was idle for longest, in place of the one used last. */
  readonly takesOldest?: boolean;
  /** Others use the last session whenever a transaction begins, unless it is the only one. */
  readonly isBusy?: boolean;
  readonly refusesTransactions?: boolean;
}

/** A pooler, and how many of its connections are open. */
function startPooler({ keeps, size, idle: idleAtStart, ...other }: Pooler) {
  let connections = 0;
  let sessions = idleAtStart;
  const idle = Array.from({ length: idleAtStart }, (_, session) => session);
  const take = (): number | null => {
    const free = other.takesOldest ? idle.shift() : idle.pop();
    if (free !== undefined) return free;
    return sessions < size ? sessions++ : null;
  };
  const open = async (): Promise<Probe> => {
    connections++;
    let own: number | null = null;
    return {
      async backend() {
        const session = own ?? take();
        if (keeps) own = session;
        else if (session !== null) idle.push(session);
        return session;
      },
      async begin() {
        if (other.refusesTransactions) return false;
        const others = other.isBusy && idle.length > 1 ? idle.pop() : undefined;
        own = take();
        if (others !== undefined) idle.push(others);
        return own === null ? null : true;
      },
      close: () => connections--,
    };
  };
  return { open, connections: () => connections };
}

test.each<[string, Pooler, boolean]>([
  ["one that keeps sessions", { keeps: true, size: 20, idle: 0 }, false],
  ["one that keeps sessions and has idle ones", { keeps: true, size: 20, idle: 5 }, false],
  ["one that keeps sessions and has few", { keeps: true, size: 2, idle: 0 }, false],
  ["a new one with transactions", { keeps: false, size: 20, idle: 0 }, true],
  ["one with transactions and idle sessions", { keeps: false, size: 20, idle: 5 }, true],
  [
    "one with transactions that takes the oldest",
    { keeps: false, size: 20, idle: 4, takesOldest: true },
    true,
  ],
  [
    "one with transactions that others use too",
    { keeps: false, size: 20, idle: 5, isBusy: true },
    true,
  ],
  ["one with statements", { keeps: false, size: 20, idle: 0, refusesTransactions: true }, true],
])("%s: %o", async (_, kind, shares) => {
  const pooler = startPooler(kind);
  expect(await sharesSessions(pooler.open)).toBe(shares);
  expect(pooler.connections()).toBe(0);
});

test("a pooler with a single session does not answer, and what it must be set to is named", async () => {
  const pooler = startPooler({ keeps: false, size: 1, idle: 0 });
  const refused = expect(sharesSessions(pooler.open)).rejects;
  await refused.toThrow(UnavailableError);
  await expect(
    sharesSessions(startPooler({ keeps: false, size: 1, idle: 0 }).open),
  ).rejects.toThrow("pool_mode=session");
  expect(pooler.connections()).toBe(0);
});

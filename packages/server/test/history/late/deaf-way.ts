// A way to a PostgreSQL server on which a node never hears that its transaction was committed.

import type { Socket } from "node:net";
import { wayTo } from "../../support/postgres-way.ts";

export interface DeafWay {
  readonly url: string;
  /** No answer that tells of a commit gets through from now on, and soon after the first of them nothing does. */
  deafen(): void;
  /** All gets through again, and what was held back comes first. */
  clear(): void;
  close(): Promise<void>;
}

/** Of the server's messages, at the end of a transaction: it has changed rows, and none is open. */
const [COMMITTED, CHANGED, IS_IDLE] = ["COMMIT\0", "UPDATE ", "Z\0\0\0\x05I"];
/** In which other transactions that are under way commit too. A node needs longer to find a connection silent. */
const OTHERS_MS = 100;

export async function deafWayTo(target: string): Promise<DeafWay> {
  const heldBack = new Map<Socket, Buffer[]>();
  let isArmed = false;
  let timer: NodeJS.Timeout | undefined;
  const way = await wayTo(new URL(target), {
    answer(near, octets) {
      const held = heldBack.get(near);
      if (held !== undefined) held.push(octets);
      else if (isArmed && tellsOfCommit(octets)) {
        heldBack.set(near, [octets]);
        timer ??= setTimeout(() => way.silent(true), OTHERS_MS);
      } else near.write(octets);
    },
  });
  return {
    url: way.url,
    deafen() {
      isArmed = true;
    },
    clear() {
      isArmed = false;
      clearTimeout(timer);
      for (const [near, octets] of heldBack) if (!near.destroyed) near.write(Buffer.concat(octets));
      heldBack.clear();
      way.silent(false);
    },
    close: way.close,
  };
}

function tellsOfCommit(octets: Buffer): boolean {
  const text = octets.toString("latin1");
  return text.includes(COMMITTED) || (text.includes(CHANGED) && text.includes(IS_IDLE));
}

// Fails a test file that leaves a process, a port, a connection, a file or a timer behind, and names it.
//
// Test files share worker processes, so what one leaves open could break a later one.

import { afterAll } from "vitest";
import { watchForLeaks } from "./leaks.ts";

/** How long closing may take: some connections end only when their other side does. */
const CLOSING_MS = 5000;

// From Node 22 on, npm would leave one in the folder of temporary files.
process.env.NODE_DISABLE_COMPILE_CACHE = "1";

const watch = watchForLeaks();
// Hooks run in reverse order: after those of the file.
afterAll(async () => {
  const left = await watch.end(CLOSING_MS);
  if (left.length > 0) throw new Error(`this test file leaves behind:\n  ${left.join("\n  ")}`);
});

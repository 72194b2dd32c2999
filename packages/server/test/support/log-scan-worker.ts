// Has the worker of this test file, and every process that it starts, note the secrets that it serves.

import { inject } from "vitest";

const observer = new URL("./wire-secrets.mjs", import.meta.url).href;
const option = `--import=${observer}`;

process.env.LOG_SCAN_FOLDER = inject("logScanFolder");
// Files of one project share a worker: it is told once.
const { NODE_OPTIONS = "" } = process.env;
if (!NODE_OPTIONS.includes(option)) process.env.NODE_OPTIONS = `${NODE_OPTIONS} ${option}`.trim();
await import(observer);

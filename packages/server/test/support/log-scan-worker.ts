// Has this test file's process, and every process that it starts, note the secrets that it serves.

import { inject } from "vitest";

const observer = new URL("./wire-secrets.mjs", import.meta.url).href;

process.env.LOG_SCAN_FOLDER = inject("logScanFolder");
process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS ?? "", `--import=${observer}`]
  .join(" ")
  .trim();
await import(observer);

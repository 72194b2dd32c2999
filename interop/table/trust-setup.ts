// Makes the certificate of the https services of a run, and has every process trust who signed it.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { makeAuthority } from "../../packages/server/test/support/certificates.ts";

export interface Trust {
  /** PEM texts, for `localhost`. */
  readonly key: string;
  readonly cert: string;
  /** The path of a file with the certificate of the authority, as PEM. */
  readonly caFile: string;
}

declare module "vitest" {
  interface ProvidedContext {
    trust: Trust;
  }
}

export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-trust-"));
  // A server that drops the rights of root reads the certificate too.
  chmodSync(folder, 0o755);
  const authority = makeAuthority();
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, authority.ca);
  // Node reads this only when a process starts: the workers start after this.
  process.env.NODE_EXTRA_CA_CERTS = caFile;
  project.provide("trust", { ...authority.issue("localhost"), caFile });
  return () => rmSync(folder, { recursive: true });
}

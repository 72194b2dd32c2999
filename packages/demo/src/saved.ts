// The JSON files of the demo's folder: what a demo finds again if the folder stays.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { DemoClient } from "./description.ts";
import type { ZoneRecord } from "./zones/zone.ts";

/** A site keeps its ports, because the issuer and the redirect URIs contain them. */
export interface SavedSite {
  readonly port: number;
  readonly appPort: number;
  readonly secret: string;
  readonly clients: readonly [DemoClient, DemoClient, DemoClient];
  /** The client of the developer's own app. */
  readonly ownClient: DemoClient | null;
}

export type SavedRecords = readonly ZoneRecord[];

/** Undefined if the file does not exist. Only the demo writes these files, so their contents are not checked. */
export function readSaved<Saved extends SavedSite | SavedRecords>(file: string): Saved | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Saved) : undefined;
}

export function writeSaved(file: string, saved: SavedSite | SavedRecords): void {
  writeFileSync(file, JSON.stringify(saved), { mode: 0o600 });
}

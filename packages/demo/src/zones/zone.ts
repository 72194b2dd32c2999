// The demo's DNS: an authoritative name server on loopback whose records can be edited.

import { canonicalName } from "domain-signin-verify/dns/name";
import { type Answers, startNameServer } from "./name-server.ts";
import type { SignedZones } from "./signed-zone-answer.ts";
import { answerQuery } from "./zone-answer.ts";
import { createZoneRecords, type ZoneRecords } from "./zone-records.ts";

export type { ZoneRecord, ZoneRecordInput } from "./zone-records.ts";

export type Zone = ZoneRecords & {
  /** Null if no zone is signed. */
  readonly signed: SignedZones | null;
  /** "127.0.0.1:port", the same port for UDP and TCP. */
  readonly address: string;
  /** Maps a name server's address to this server's port; null for any other address. */
  reach(address: string): { address: string; port: number; isV6: boolean } | null;
  close(): Promise<void>;
};

/** Without `port` the system chooses one. */
export async function startZone(setup: {
  origins: readonly string[];
  port?: number;
  /** Creates the signed zones; without it, all zones are unsigned. */
  signed?: (records: ZoneRecords["records"]) => SignedZones;
}): Promise<Zone> {
  const origins = setup.origins.map(canonicalName);
  const zone = createZoneRecords(origins);
  const signed = setup.signed?.(zone.records) ?? null;
  const answers: Answers = signed ?? {
    answer: (query) => answerQuery(query, origins, zone.records()),
  };
  const { address: host, port, close } = await startNameServer(answers, setup.port);
  return {
    ...zone,
    signed,
    address: `${host}:${port}`,
    reach: (address) => (address === host ? { address, port, isV6: false } : null),
    close,
  };
}

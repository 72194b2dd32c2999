// A DNS server on loopback for every domain below `test`: each is a zone whose name server belongs to a DNS host.

import { startNameServer } from "domain-signin-demo/zones/name-server";
import { answerQuery } from "domain-signin-demo/zones/zone-answer";
import type { ZoneRecord } from "domain-signin-demo/zones/zone-records";
import { classIn, recordType } from "domain-signin-verify/dns/records";

export interface AllZones {
  readonly port: number;
  /** How many questions came so far. */
  asked(): number;
  /** Puts the text in the place of what stands at the name. */
  publish(name: string, value: string): void;
  close(): Promise<void>;
}

const SERVER = "ns";
const TTL_S = 1;
/** Nobody answers for names below it. */
const SILENT = "silent.test";

/**
 * The hosts of the domains `h7-…` are the same one; other domains have one of 200. Every name below `external.test`
 * names the service provider `sp`, and every name below `externals.test` one of its own, whose address nobody tells.
 */
export async function startAllZones(sp: string): Promise<AllZones> {
  const records = new Map<string, ZoneRecord[]>();
  let asked = 0;
  const { port, close } = await startNameServer({
    answer(query) {
      asked++;
      const [question] = query.questions;
      const { name = "", type = 0 } = question ?? {};
      const apex = apexOf(name);
      if (apex === SILENT) return null;
      // The root, which the service asks about the time.
      if (apex === "") return answerQuery(query, [], []);
      const head = { name, class: classIn, ttl: TTL_S };
      if (name === `${SERVER}.${apex}` && type === recordType.A) {
        const rdata = Uint8Array.of(198, 18, hostOf(apex), 53);
        return {
          ...answerQuery(query, [apex], []),
          rcode: 0,
          authorities: [],
          answers: [{ ...head, type, rdata }],
        };
      }
      const added = externalRecord(name, apex, sp);
      return answerQuery(query, [apex], [...(records.get(apex) ?? []), ...added]);
    },
  });
  return {
    port,
    asked: () => asked,
    publish(name, value) {
      const apex = apexOf(name);
      const others = (records.get(apex) ?? []).filter((record) => record.name !== name);
      records.set(apex, [...others, { name, type: "TXT", value, ttl: TTL_S }]);
    },
    close,
  };
}

/** The registrable domain, and the name itself where there is none. */
function apexOf(name: string): string {
  return name.split(".").slice(-2).join(".");
}

function hostOf(apex: string): number {
  const [, number] = /^h(\d+)-/.exec(apex) ?? [];
  if (number !== undefined) return Number(number);
  return 1 + ([...apex].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 200);
}

function externalRecord(name: string, apex: string, sp: string): ZoneRecord[] {
  const [label = "", own = ""] = name.split(".");
  if (label !== "_domain-signin" || !["external.test", "externals.test"].includes(apex)) return [];
  const issuer = apex === "external.test" ? sp : `https://${own}.${SILENT}`;
  const value = `v=dsi1 sp=${issuer} acct=0123456789abcdefghijkl`;
  return [{ name, type: "TXT", value, ttl: TTL_S }];
}

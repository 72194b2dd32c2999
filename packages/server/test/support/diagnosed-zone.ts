// A zone with its own name server and a resolver on loopback, through which tests diagnose what its owner published.

import { type DnsMessage, type DnsRecord, rcode } from "domain-signin-verify/dns/message";
import { isAtOrBelow } from "domain-signin-verify/dns/name";
import { encodeSoa, recordType } from "domain-signin-verify/dns/records";
import type { DiagnosisFor } from "../../src/dns/diagnosis.ts";
import { createLooks } from "../../src/dns/looks.ts";
import type { WantedRecord } from "../../src/dns/mistake.ts";
import type { Reach } from "../../src/dns/name-servers.ts";
import { createPanelOf, type PanelOf } from "../../src/dns/panels.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { delegation, record, serveDns } from "./dns-server.ts";
import { LOOK_NOW, LOOK_RECENT } from "./looks-for.ts";

export type DiagnosedZone = Awaited<ReturnType<typeof startDiagnosedZone>>;

export interface ZoneOptions {
  readonly issuer?: string;
  readonly apex?: string;
  /** The names of the zone's name servers. All of them are one server. */
  readonly hosts?: readonly string[];
  readonly reach?: Reach;
  readonly panelOf?: PanelOf;
  /** Default: true. If it is not, nothing below `test` is known. */
  readonly isRegistered?: boolean;
  /** Whether the service uses name servers at all. */
  readonly isUsed?: boolean;
  /** A zone below this one, and the name of its name server, which has the address 8.8.4.4. */
  readonly deeper?: { readonly apex: string; readonly host: string };
}

const { A, CNAME, NS, SOA } = recordType;
const address = (name: string, ...octets: number[]) => record(name, A, Uint8Array.from(octets));

export async function startDiagnosedZone(options: ZoneOptions = {}) {
  const { apex = "alice.test", hosts = [`ns.${apex}`], panelOf = createPanelOf() } = options;
  const { deeper } = options;
  const records: DnsRecord[] = [];
  let time = 1_000_000;
  const clock = clockFrom(() => time);
  const own = await serveDns(
    apex,
    () => [],
    (query) => {
      const { name = "" } = query.questions[0] ?? {};
      if (deeper === undefined || !isAtOrBelow(name, deeper.apex)) {
        return answerOf(query, apex, records);
      }
      const authorities = delegation(deeper.apex, deeper.host);
      const additionals = [address(deeper.host, 8, 8, 4, 4)];
      return { authoritative: false, rcode: 0, answers: [], authorities, additionals };
    },
  );
  const resolver = await serveDns(
    apex,
    () => [],
    (query) => {
      const { name = "", type = 0 } = query.questions[0] ?? {};
      if (options.isRegistered === false) return { rcode: rcode.nxDomain, answers: [] };
      if (type === NS && name === apex) return { rcode: 0, answers: delegation(apex, ...hosts) };
      if (!hosts.includes(name)) return answerOf(query, apex, records);
      return { rcode: 0, answers: type === A ? [address(name, 8, 8, 8, 8)] : [] };
    },
  );
  const toOwn: Reach = (address) => (address === "8.8.8.8" ? own.server : null);
  const { reach = toOwn, isUsed = true, issuer = "https://auth.example.com" } = options;
  const config = {
    ...{ issuer, dnsServers: [resolver.text], minAssurance: "single" as const },
    ...{ trustAnchors: [], zoneNameServers: isUsed ? ("on" as const) : ("off" as const) },
  };
  const { diagnoses, newRecords } = createLooks(config, { clock, reach, panelOf });
  return {
    records,
    server: own.server,
    /** "type name" of each question to the zone's name server, and to the resolver. */
    asked: () => ({ own: own.queries.map(questionOf), resolver: resolver.queries.map(questionOf) }),
    advance(milliseconds: number) {
      time += milliseconds;
    },
    look: (domain: string, wanted: WantedRecord, from: DiagnosisFor = LOOK_RECENT) =>
      diagnoses.look(domain, `_domain-signin.${domain}`, wanted, from),
    /** What decides whether the set-up is finished. */
    lookForRecord: (domain: string, wanted: WantedRecord) =>
      newRecords.lookForRecord(domain, wanted, LOOK_NOW),
    close() {
      own.close();
      resolver.close();
    },
  };
}

function questionOf({ questions: [asked] }: DnsMessage): string {
  return `${asked?.type} ${asked?.name}`;
}

/** As RFC 1034 §4.3.2 describes it, with wildcards (RFC 4592). */
function answerOf(
  { questions: [asked] }: DnsMessage,
  apex: string,
  records: readonly DnsRecord[],
): Partial<DnsMessage> {
  const { name = "", type = 0 } = asked ?? {};
  if (!isAtOrBelow(name, apex)) return { rcode: rcode.refused };
  const exists = (owner: string) =>
    owner === apex || records.some((one) => isAtOrBelow(one.name, owner));
  const soa = encodeSoa({
    ...{ mname: `ns.${apex}`, rname: `hostmaster.${apex}`, serial: 1 },
    ...{ refresh: 3600, retry: 600, expire: 86_400, minimum: 60 },
  });
  const none = { answers: [], authorities: [record(apex, SOA, soa)] };
  let source = name;
  if (!exists(name)) {
    let encloser = name;
    while (!exists(encloser)) encloser = encloser.slice(encloser.indexOf(".") + 1);
    source = `*.${encloser}`;
    if (!exists(source)) return { rcode: rcode.nxDomain, ...none };
  }
  const answers = records
    .filter((one) => one.name === source && [type, CNAME].includes(one.type))
    .map((one) => ({ ...one, name }));
  return answers.length > 0 ? { rcode: 0, answers } : { rcode: 0, ...none };
}

// A zone with its own name server and a resolver on loopback, through which tests diagnose what its owner published.

import { type DnsMessage, type DnsRecord, rcode } from "domain-signin-verify/dns/message";
import { isAtOrBelow } from "domain-signin-verify/dns/name";
import { encodeSoa, recordType } from "domain-signin-verify/dns/records";
import { createDiagnoses, type DiagnosisFor } from "../../src/dns/diagnosis.ts";
import type { WantedRecord } from "../../src/dns/mistake.ts";
import { createNameServers, type Reach } from "../../src/dns/name-servers.ts";
import { createPanelOf, type PanelOf } from "../../src/dns/panels.ts";
import { createResolver } from "../../src/dns/resolver.ts";
import { createZoneLook } from "../../src/dns/zone-look.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { delegation, record, serveDns } from "./dns-server.ts";
import { LOOK_RECENT, questions, turns } from "./looks-for.ts";

export type DiagnosedZone = Awaited<ReturnType<typeof startDiagnosedZone>>;

export interface ZoneOptions {
  readonly apex?: string;
  /** The names of the zone's name servers. All of them are one server. */
  readonly hosts?: readonly string[];
  readonly reach?: Reach;
  readonly panelOf?: PanelOf;
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
      if (type === NS && name === apex) return { rcode: 0, answers: delegation(apex, ...hosts) };
      if (!hosts.includes(name)) return answerOf(query, apex, records);
      return { rcode: 0, answers: type === A ? [address(name, 8, 8, 8, 8)] : [] };
    },
  );
  const resolvers = [
    {
      ...{ text: resolver.text, server: resolver.server },
      ...createResolver({ servers: [resolver.server] }),
    },
  ];
  const toOwn: Reach = (address) => (address === "8.8.8.8" ? own.server : null);
  const { reach = toOwn, isUsed = true } = options;
  const nameServers = createNameServers({
    ...{ resolvers, reach, clock, questions, panelOf },
    ownAddresses: async () => [],
  });
  const zoneLook = createZoneLook({ clock, nameServers, questions, totalMs: 10_000 });
  const diagnoses = createDiagnoses({
    ...{ resolvers, clock, zoneLook: isUsed ? zoneLook : null },
    turns: { zones: turns, resolvers: turns },
  });
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

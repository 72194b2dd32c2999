// Creates everything that looks up DNS, for a service or for an operator's command.

import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import type { Clock } from "../lib/clock.ts";
import type { SecureDomainStore } from "../store/secure-domains.ts";
import type { Events } from "../telemetry/events.ts";
import type { Assurance } from "./assurance.ts";
import { createAssuredLook, type Source } from "./assured-look.ts";
import { createDiagnoses, type Diagnoses } from "./diagnosis.ts";
import { createNameServers, type Reach, reachPublic } from "./name-servers.ts";
import { createNewRecords, type NewRecords } from "./new-records.ts";
import { createQueryLimits } from "./query-limits.ts";
import { createResolver } from "./resolver.ts";
import { createSignedBefore, isProvenInsecure } from "./signed-before.ts";
import { createSpRecords, type SpRecords } from "./sp-record.ts";
import { createValidator } from "./validator.ts";
import type { Accepted } from "./verdict.ts";
import { viewThrough } from "./view.ts";
import { createZoneLook } from "./zone-look.ts";

/** `dnsServers` are "ip:port" or "[v6]:port". Packets go there and to what `reach` returns. */
export function createLooks(
  config: {
    readonly issuer: string;
    readonly dnsServers: readonly string[];
    readonly minAssurance: Assurance;
    readonly trustAnchors?: readonly TrustAnchor[] | undefined;
    /** Whether the zones' own name servers are asked. Default: "on". */
    readonly zoneNameServers?: "on" | "off";
  },
  deps: {
    readonly clock: Clock;
    /** Remembers which domains were signed; without it, nothing is remembered. */
    readonly store?: SecureDomainStore;
    readonly acceptedFor?: (domain: string) => Promise<Accepted | null>;
    readonly events?: Pick<Events, "lookedUp" | "bogus">;
    readonly reach?: Reach | undefined;
    /** Addresses of this service, to which nothing is sent. Must not reject. */
    readonly ownAddresses?: (() => Promise<readonly string[]>) | undefined;
  },
): { spRecords: SpRecords; diagnoses: Diagnoses; newRecords: NewRecords } {
  const { issuer, dnsServers, minAssurance, trustAnchors = rootTrustAnchors } = config;
  const { clock, store, events, reach = reachPublic, acceptedFor = async () => null } = deps;
  const { ownAddresses = async () => [] } = deps;
  const resolvers = dnsServers.map((text) => ({ text, ...createResolver({ servers: [text] }) }));
  const validators = resolvers.map(({ query }) =>
    createValidator({ query, now: clock.seconds, trustAnchors }),
  );
  const sources = validators.map((validator): Source => {
    return (name, label) => viewThrough(validator, name, label);
  });
  const signedBefore = store ? createSignedBefore({ store, clock, validators }) : null;
  const allowLoopbackIssuer = issuer.startsWith("http:");
  const lookUp = createAssuredLook({ sources, minAssurance, signedBefore, events });
  const decisions = { lookUp, minAssurance, acceptedFor };
  const spRecords = createSpRecords({ ...decisions, issuer, clock, allowLoopbackIssuer });
  const nameServers = createNameServers({ resolvers, reach, ownAddresses, clock });
  const limits = createQueryLimits(clock);
  const zoneLook =
    config.zoneNameServers === "off" ? null : createZoneLook({ nameServers, limits });
  const diagnoses = createDiagnoses({ resolvers, zoneLook, clock });
  const isUnacceptable = async (zone: string) =>
    minAssurance === "secure" && isProvenInsecure(zone, validators);
  const newRecords = createNewRecords({ spRecords, diagnoses, isUnacceptable });
  return { spRecords, diagnoses, newRecords };
}

// Creates everything that looks up DNS, for a service or for an operator's command.

import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import type { Clock } from "../lib/clock.ts";
import type { SecureDomainStore } from "../store/secure-domains.ts";
import type { Events } from "../telemetry/events.ts";
import type { Assurance } from "./assurance.ts";
import { createAssuredLook, type Source } from "./assured-look.ts";
import { createDiagnoses, type Diagnoses } from "./diagnosis.ts";
import { type Reach, reachPublic } from "./name-servers.ts";
import { createRegistration } from "./registration.ts";
import { createResolver } from "./resolver.ts";
import { createSignedBefore } from "./signed-before.ts";
import { createSpRecords, type SpRecords } from "./sp-record.ts";
import { createValidator } from "./validator.ts";
import type { Accepted } from "./verdict.ts";
import { viewThrough } from "./view.ts";

/** `dnsServers` are "ip:port" or "[v6]:port". Packets go there and to what `reach` returns. */
export function createLooks(
  config: {
    readonly issuer: string;
    readonly dnsServers: readonly string[];
    readonly minAssurance: Assurance;
    readonly trustAnchors?: readonly TrustAnchor[] | undefined;
  },
  deps: {
    readonly clock: Clock;
    /** Remembers which domains were signed; without it, nothing is remembered. */
    readonly store?: SecureDomainStore;
    readonly acceptedFor?: (domain: string) => Promise<Accepted | null>;
    readonly events?: Pick<Events, "lookedUp" | "bogus" | "unavailable">;
    readonly reach?: Reach | undefined;
  },
): { spRecords: SpRecords; diagnoses: Diagnoses } {
  const { issuer, dnsServers, minAssurance, trustAnchors = rootTrustAnchors } = config;
  const { clock, store, events, reach = reachPublic, acceptedFor = async () => null } = deps;
  const resolvers = dnsServers.map((server) => createResolver({ servers: [server] }));
  const validators = resolvers.map(({ query }) =>
    createValidator({ query, now: clock.seconds, trustAnchors }),
  );
  const sources = validators.map((validator): Source => {
    return (name, label) => viewThrough(validator, name, label);
  });
  const signedBefore = store ? createSignedBefore({ store, clock, validators }) : null;
  const allowLoopbackIssuer = issuer.startsWith("http:");
  const isUnregistered = createRegistration({ resolvers, clock });
  const rules = { minAssurance, signedBefore, isUnregistered };
  const lookUp = createAssuredLook({ sources, ...rules, events });
  const decisions = { lookUp, minAssurance, acceptedFor };
  return {
    spRecords: createSpRecords({ ...decisions, issuer, clock, allowLoopbackIssuer }),
    diagnoses: createDiagnoses({ dnsServers, reach, now: clock.milliseconds }),
  };
}

// Creates everything that looks up DNS, for a service or for an operator's command.

import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import type { Clock } from "../lib/clock.ts";
import type { AcceptedAnswerStore } from "../store/accepted-answers.ts";
import type { SecureDomainStore } from "../store/secure-domains.ts";
import type { Events } from "../telemetry/events.ts";
import type { Assurance } from "./assurance.ts";
import { createAssuredLook, type Source } from "./assured-look.ts";
import { createDiagnoses, type Diagnoses } from "./diagnosis.ts";
import { type Reach, reachPublic } from "./name-servers.ts";
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
    /** Remembers which domains were signed, and what was accepted; without it, nothing is remembered. */
    readonly store?: SecureDomainStore & AcceptedAnswerStore;
    /** Only read: for a command that changes nothing. */
    readonly acceptedFor?: (domain: string) => Promise<Accepted | null>;
    readonly events?: Pick<Events, "lookedUp" | "bogus">;
    readonly reach?: Reach | undefined;
  },
): { spRecords: SpRecords; diagnoses: Diagnoses } {
  const { issuer, dnsServers, minAssurance, trustAnchors = rootTrustAnchors } = config;
  const { clock, store, events, reach = reachPublic } = deps;
  const acceptedFor =
    deps.acceptedFor ?? (async (domain) => store?.findAccepted(domain, clock.seconds()) ?? null);
  const validators = dnsServers.map((server) => {
    const { query } = createResolver({ servers: [server] });
    return createValidator({ query, now: clock.seconds, trustAnchors });
  });
  const sources = validators.map((validator): Source => {
    return (name, label) => viewThrough(validator, name, label);
  });
  const signedBefore = store ? createSignedBefore({ store, clock, validators }) : null;
  const allowLoopbackIssuer = issuer.startsWith("http:");
  const lookUp = createAssuredLook({ sources, minAssurance, signedBefore, events });
  const decisions = { lookUp, minAssurance, acceptedFor, noteAccepted: store?.noteAccepted };
  return {
    spRecords: createSpRecords({ ...decisions, issuer, clock, allowLoopbackIssuer }),
    diagnoses: createDiagnoses({ dnsServers, reach, now: clock.milliseconds }),
  };
}

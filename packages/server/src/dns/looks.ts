// Creates everything that looks up DNS, for a service or for an operator's command.

import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import type { Clock } from "../lib/clock.ts";
import { isLoopbackIssuer } from "../lib/loopback-issuer.ts";
import type { AcceptedAnswerStore } from "../store/accepted-answers.ts";
import type { AccountStore } from "../store/accounts.ts";
import type { RememberedDomain, RememberedStore } from "../store/remembered.ts";
import type { SecureDomainStore } from "../store/secure-domains.ts";
import type { Events } from "../telemetry/events.ts";
import type { Assurance } from "./assurance.ts";
import { createAssuredLook, type Source } from "./assured-look.ts";
import { createConcurrencyLimit } from "./bounded.ts";
import { createDiagnoses, type Diagnoses } from "./diagnosis.ts";
import { createKnownSignatures } from "./known-signatures.ts";
import { createNameServers, type Reach, reachPublic } from "./name-servers.ts";
import { createNewRecords, type NewRecords } from "./new-records.ts";
import { createQueryLimits } from "./query-limits.ts";
import { createRegistration } from "./registration.ts";
import { createResolver } from "./resolver.ts";
import { createResolvers, type Resolvers } from "./resolvers.ts";
import { createSignedBefore, isProvenInsecure, type SignedBefore } from "./signed-before.ts";
import { createSpRecords, type SpRecords } from "./sp-record.ts";
import { createValidator } from "./validator.ts";
import { viewThrough } from "./view.ts";
import { createZoneLook } from "./zone-look.ts";

/** Each look asks at most three resolvers at once. Half of the room is kept for domains that have an account. */
const LOOKS_AT_ONCE = { all: 128, each: 8, strangers: { all: 64, each: 4 } };
/** Each asks all resolvers and four name servers. */
const DIAGNOSES_AT_ONCE = { all: 32, each: 4 };

/** Of a domain that is looked up for the first time. */
export const NOTHING_REMEMBERED: RememberedDomain = {
  ...{ hasAccount: false, accepted: null, signed: null },
};

/** Packets go to the resolvers and to what `reach` returns. */
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
    /** Remembers accounts, which domains were signed, and what was accepted; without it, nothing is remembered. */
    readonly store?: SecureDomainStore &
      AcceptedAnswerStore &
      RememberedStore &
      Pick<AccountStore, "findAccount">;
    /** Only read: for a command that changes nothing. */
    readonly rememberedOf?: (domain: string) => Promise<RememberedDomain>;
    readonly events?: Pick<Events, "lookedUp" | "bogus" | "unavailable">;
    readonly reach?: Reach | undefined;
    /** Those of `dnsServers`; without them, they are made here. */
    readonly resolvers?: Resolvers;
    /** Addresses of this service, to which nothing is sent. Must not reject. */
    readonly ownAddresses?: (() => Promise<readonly string[]>) | undefined;
  },
): {
  readonly spRecords: SpRecords;
  readonly diagnoses: Diagnoses;
  readonly newRecords: NewRecords;
  readonly signedBefore: SignedBefore | null;
} {
  const { issuer, dnsServers, minAssurance, trustAnchors = rootTrustAnchors } = config;
  const { clock, store, events, reach = reachPublic } = deps;
  const { resolvers = createResolvers(dnsServers), ownAddresses = async () => [] } = deps;
  const {
    rememberedOf = async (domain) =>
      store?.rememberedOf(domain, clock.seconds()) ?? NOTHING_REMEMBERED,
  } = deps;
  const isSignatureBy = createKnownSignatures(clock);
  const each = resolvers.all.map((configured) => ({
    ...configured,
    ...createResolver({ servers: [configured.server] }),
  }));
  const validators = each.map(({ query }) =>
    createValidator({
      ...{ query, now: clock.seconds, monotonic: clock.monotonic },
      ...{ trustAnchors, isSignatureBy },
    }),
  );
  const sources = validators.map((validator): Source => {
    return (name, label, over) => viewThrough(validator, name, label, over);
  });
  const signedBefore = store ? createSignedBefore({ store, clock, validators }) : null;
  const allowLoopbackIssuer = isLoopbackIssuer(issuer);
  const { inOrder } = resolvers;
  const isUnregistered = createRegistration({ resolvers: each, clock });
  const bounded = createConcurrencyLimit(LOOKS_AT_ONCE);
  const rules = { minAssurance, signedBefore, isUnregistered };
  const lookUp = createAssuredLook({ sources, inOrder, bounded, ...rules, events });
  const decisions = { lookUp, minAssurance, rememberedOf, noteAccepted: store?.noteAccepted };
  const spRecords = createSpRecords({ ...decisions, issuer, clock, allowLoopbackIssuer });
  const nameServers = createNameServers({ resolvers: each, reach, ownAddresses, clock });
  const limits = createQueryLimits(clock);
  const lookInZone = createZoneLook({ nameServers, limits });
  const zoneLooks = createConcurrencyLimit(DIAGNOSES_AT_ONCE);
  const zoneLook = (domain: string, name: string) =>
    zoneLooks(domain, () => lookInZone(domain, name));
  const diagnoses = createDiagnoses({
    ...{ resolvers: each, clock },
    zoneLook: config.zoneNameServers === "off" ? null : zoneLook,
    bounded: createConcurrencyLimit(DIAGNOSES_AT_ONCE),
  });
  const isUnacceptable = async (zone: string) =>
    minAssurance === "secure" && isProvenInsecure(zone, validators);
  const isAccount: Parameters<typeof createNewRecords>[0]["isAccount"] = async (domain, named) =>
    store !== undefined && (await store.findAccount(domain, named)) !== null;
  const newRecords = createNewRecords({ spRecords, diagnoses, isUnacceptable, isAccount });
  return { spRecords, diagnoses, newRecords, signedBefore };
}

// Creates everything that looks up DNS, for a service or for an operator's command.

import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import type { Clock } from "../lib/clock.ts";
import type { RememberedDomain } from "../store/remembered.ts";
import type { Store } from "../store/store.ts";
import type { Assurance } from "./assurance.ts";
import { createAssuredLook, type LookEvents } from "./assured-look.ts";
import { createConcurrencyLimit } from "./bounded.ts";
import { createDiagnoses } from "./diagnosis.ts";
import { createNameServers, type Reach, reachPublic } from "./name-servers.ts";
import { createNewRecords } from "./new-records.ts";
import { createQueryLimits } from "./query-limits.ts";
import { createRegistration } from "./registered-domain.ts";
import { createResolver } from "./resolver.ts";
import { createResolvers, type Resolvers } from "./resolvers.ts";
import { createSignedBefore, isProvenInsecure } from "./signed-before.ts";
import { createSpRecords } from "./sp-record.ts";
import { createKnownSignatures, createValidator } from "./validator.ts";
import { viewThrough } from "./view.ts";
import { createZoneLook } from "./zone-look.ts";

/** Each look asks at most three resolvers at once. Half of the room is kept for domains that have an account. */
const LOOKS_AT_ONCE = { all: 128, each: 8, strangers: { all: 64, each: 4 } };
/** Each asks all resolvers and four name servers. */
const DIAGNOSES_AT_ONCE = { all: 32, each: 4 };

export const NOTHING_REMEMBERED: RememberedDomain = {
  ...{ hasAccount: false, accepted: null, signed: null },
};

interface Config {
  readonly issuer: string;
  readonly dnsServers: readonly string[];
  readonly minAssurance: Assurance;
  readonly trustAnchors?: readonly TrustAnchor[] | undefined;
  /** Whether the zones' own name servers are asked. Default: "on". */
  readonly zoneNameServers?: "on" | "off";
}

interface Deps {
  readonly clock: Clock;
  /** Remembers accounts, which domains were signed, and what was accepted; without it, nothing is remembered. */
  readonly store?: Store;
  /** Only read: for a command that changes nothing. */
  readonly rememberedOf?: (domain: string) => Promise<RememberedDomain>;
  readonly events?: LookEvents;
  readonly reach?: Reach | undefined;
  /** Those of `dnsServers`; without them, they are made here. */
  readonly resolvers?: Resolvers;
  /** Addresses of this service, to which nothing is sent. Must not reject. */
  readonly ownAddresses?: (() => Promise<readonly string[]>) | undefined;
}

/** Packets go to the resolvers and to what `reach` returns. */
export function createLooks(config: Config, deps: Deps) {
  const { issuer, minAssurance, trustAnchors = rootTrustAnchors } = config;
  const { clock, store, events, reach = reachPublic, ownAddresses = async () => [] } = deps;
  const { resolvers = createResolvers(config.dnsServers) } = deps;
  const each = resolvers.all.map((configured) => ({
    ...configured,
    ...createResolver({ servers: [configured.server] }),
  }));
  const isSignatureBy = createKnownSignatures(clock);
  const validators = each.map(({ query }) =>
    createValidator({ query, clock, trustAnchors, isSignatureBy }),
  );
  const signedBefore = store
    ? createSignedBefore({ store: store.secureDomains, clock, validators })
    : null;
  const lookUp = createAssuredLook({
    sources: validators.map(
      (validator) => (name, label, over) => viewThrough(validator, name, label, over),
    ),
    inOrder: resolvers.inOrder,
    bounded: createConcurrencyLimit(LOOKS_AT_ONCE),
    isUnregistered: createRegistration({ resolvers: each, clock }),
    ...{ minAssurance, signedBefore, events },
  });
  const spRecords = createSpRecords({
    ...{ lookUp, minAssurance, issuer, clock, noteAccepted: store?.acceptedAnswers.noteAccepted },
    rememberedOf:
      deps.rememberedOf ??
      (async (domain) =>
        store?.remembered.rememberedOf(domain, clock.seconds()) ?? NOTHING_REMEMBERED),
  });
  const zoneLooks = createConcurrencyLimit(DIAGNOSES_AT_ONCE);
  const lookInZone = createZoneLook({
    nameServers: createNameServers({ resolvers: each, reach, ownAddresses, clock }),
    limits: createQueryLimits(clock),
  });
  const diagnoses = createDiagnoses({
    ...{ resolvers: each, clock },
    zoneLook:
      config.zoneNameServers === "off"
        ? null
        : (domain, name) => zoneLooks(domain, () => lookInZone(domain, name)),
    bounded: createConcurrencyLimit(DIAGNOSES_AT_ONCE),
  });
  const newRecords = createNewRecords({
    ...{ spRecords, diagnoses },
    isUnacceptable: async (zone) => minAssurance === "secure" && isProvenInsecure(zone, validators),
    isAccount: async (domain, account) =>
      store !== undefined && (await store.accounts.findAccount(domain, account)) !== null,
  });
  return { spRecords, diagnoses, newRecords, signedBefore };
}

// Creates everything that looks up DNS, for a service or for an operator's command.

import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import type { Clock } from "../lib/clock.ts";
import { unlessBusy } from "../lib/errors.ts";
import { createRateGate, createReservedQueue, type ReservedQueue } from "../lib/fair-queue.ts";
import type { Budget } from "../lib/fair-room.ts";
import { LIMITS, type Limits } from "../lib/limits.ts";
import type { RememberedDomain } from "../store/remembered.ts";
import type { Store } from "../store/store.ts";
import type { Assurance } from "./assurance.ts";
import { createAssuredLook, type LookEvents } from "./assured-look.ts";
import { createTurns, MAX_WAITING, type Sharing } from "./bounded.ts";
import { createDiagnoses } from "./diagnosis.ts";
import { createNameServers, type Reach, reachPublic } from "./name-servers.ts";
import { createNewRecords } from "./new-records.ts";
import type { PanelOf } from "./panels.ts";
import { createRegistration } from "./registered-domain.ts";
import { createResolver } from "./resolver.ts";
import { createResolvers, type Resolvers } from "./resolvers.ts";
import { createSignedBefore, isProvenInsecure, isProvenSecure } from "./signed-before.ts";
import { createSpRecords } from "./sp-record.ts";
import { createKnownSignatures, createValidator } from "./validator.ts";
import { viewThrough } from "./view.ts";
import { createZoneLook } from "./zone-look.ts";

/** Each asks all resolvers, or four name servers. */
const DIAGNOSES_AT_ONCE = 16;
/** Questions to our resolvers about name servers, for each to the zones' own name servers. */
const ABOUT_NAME_SERVERS = 0.5;
/** After a pause, so many seconds of questions may be sent at once. */
const BURST_S = 4;

export const NOTHING_REMEMBERED: RememberedDomain = { accepted: null, signed: null };

interface Config {
  readonly issuer: string;
  readonly dnsServers: readonly string[];
  readonly minAssurance: Assurance;
  readonly trustAnchors?: readonly TrustAnchor[] | undefined;
  /** Whether the zones' own name servers are asked. Default: "on". */
  readonly zoneNameServers?: "on" | "off";
  readonly limits?: Partial<Limits> | undefined;
}

/** Replacements of what looks use by default. */
export interface LookOverrides {
  /** Which name servers may be asked. Default: those at public addresses. */
  readonly reach?: Reach | undefined;
  /** How DNS providers are recognized. Default: by the data file of this package. */
  readonly panelOf?: PanelOf | undefined;
}

interface Deps extends LookOverrides {
  readonly clock: Clock;
  /** Remembers accounts, which domains were signed, and what was accepted; without it, nothing is remembered. */
  readonly store?: Store;
  /** Only read: for a command that changes nothing. */
  readonly rememberedOf?: (domain: string) => Promise<RememberedDomain>;
  readonly events?: LookEvents;
  /** Those of `dnsServers`; without them, they are made here. */
  readonly resolvers?: Resolvers;
  /** Addresses of this service, to which nothing is sent. Must not reject. */
  readonly ownAddresses?: (() => Promise<readonly string[]>) | undefined;
  readonly budgets?: { readonly nameServers?: Budget; readonly lookUps?: Budget };
  readonly weightOf?: Sharing["weightOf"];
}

/** Packets go to the resolvers and to what `reach` returns. */
export function createLooks(config: Config, deps: Deps) {
  const { issuer, minAssurance, trustAnchors = rootTrustAnchors } = config;
  const { clock, store, events, reach = reachPublic, ownAddresses = async () => [] } = deps;
  const { resolvers = createResolvers(config.dnsServers), budgets = {} } = deps;
  const limits = { ...LIMITS, ...config.limits };
  const lookUps = { budget: budgets.lookUps, weightOf: deps.weightOf };
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
    isUnregistered: createRegistration({ resolvers: each, clock }),
    ...{ minAssurance, signedBefore, events },
  });
  const spRecords = createSpRecords({
    ...{ lookUp, turns: createTurns(Math.ceil(limits.lookUps / 2), clock, lookUps) },
    ...{ minAssurance, issuer, clock, noteAccepted: store?.acceptedAnswers.noteAccepted },
    rememberedOf:
      deps.rememberedOf ??
      (async (domain) =>
        store?.remembered.rememberedOf(domain, clock.seconds()) ?? NOTHING_REMEMBERED),
  });
  const questions = { clock, weightOf: deps.weightOf, budget: budgets.nameServers };
  const perMinute = limits.nameServerQuestions;
  const zoneLook = createZoneLook({
    clock,
    nameServers: createNameServers({
      ...{ resolvers: each, reach, ownAddresses, clock, panelOf: deps.panelOf },
      questions: questionQueue(ABOUT_NAME_SERVERS * perMinute, questions),
    }),
    questions: questionQueue(perMinute, questions),
  });
  const turnsAtResolvers = createTurns(DIAGNOSES_AT_ONCE, clock, lookUps);
  const diagnoses = createDiagnoses({
    ...{ resolvers: each, clock },
    zoneLook: config.zoneNameServers === "off" ? null : zoneLook,
    turns: {
      zones: createTurns(DIAGNOSES_AT_ONCE, clock, lookUps),
      resolvers: turnsAtResolvers,
    },
  });
  const newRecords = createNewRecords({
    ...{ spRecords, diagnoses },
    isUnacceptable: async (zone) => minAssurance === "secure" && isProvenInsecure(zone, validators),
    isProvenSecure: async (zone, from) => {
      const prove = () => isProvenSecure(zone, validators);
      return (await unlessBusy(turnsAtResolvers.run(from, prove)))?.value ?? false;
    },
    isAccount: async (domain, account) =>
      store !== undefined && (await store.accounts.findAccount(domain, account)) !== null,
  });
  return { spRecords, diagnoses, newRecords, signedBefore };
}

/** Half of the questions are for requesters with the reserve. */
function questionQueue(
  perMinute: number,
  { clock, ...sharing }: Sharing & { readonly clock: Clock },
): ReservedQueue {
  const gate = () => createRateGate(perMinute / 2 / 60, BURST_S, clock);
  return createReservedQueue({ gate, capacity: MAX_WAITING, ...sharing }, clock);
}

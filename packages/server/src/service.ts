// The composition root: puts the parts together.

import type { CheckConfig, KeysConfig, ServiceConfig } from "./config/config.ts";
import { resolversForAQuorum } from "./dns/assured-txt.ts";
import { hostAddresses } from "./dns/host-addresses.ts";
import { createLooks } from "./dns/looks.ts";
import type { Reach } from "./dns/name-servers.ts";
import { createClientDocuments } from "./federation/client-document.ts";
import { createFederation } from "./federation/federation.ts";
import { clientAddresses } from "./http/client-address.ts";
import { cookiesOf } from "./http/cookies.ts";
import { answerFetch } from "./http/fetch-adaptor.ts";
import { createHealth } from "./http/health.ts";
import type { HttpRequest, HttpResponse } from "./http/message.ts";
import type { Answer } from "./http/router.ts";
import { walkAccounts } from "./interaction/account-walk.ts";
import { controlThrough } from "./interaction/control.ts";
import { createRequirements } from "./interaction/requirements.ts";
import { type KeyRegistry, keyRegistry } from "./keys/key-registry.ts";
import { openKeyring } from "./keys/keyring.ts";
import { type Seal, sealWith } from "./keys/seal.ts";
import type { makeSigningKey } from "./keys/signing-key.ts";
import { type Pause, repeatUntil, type Sleep, systemSleep } from "./lib/background.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { OperatorError } from "./lib/errors.ts";
import { type Random, systemRandom } from "./lib/random.ts";
import { readAuthorizationRequest } from "./oauth/authorization-request.ts";
import { createAuthorizationResponse } from "./oauth/authorization-response.ts";
import { createAuthorize } from "./oauth/authorize.ts";
import { cachedClients } from "./oauth/client.ts";
import { withDocuments } from "./oauth/client-documents.ts";
import { type ClientRegistry, clientRegistry } from "./oauth/client-registry.ts";
import { createConsent } from "./oauth/consent.ts";
import { jsonErrors, pageErrors } from "./oauth/error-channels.ts";
import { createJwksEndpoint, createMetadataEndpoint } from "./oauth/metadata.ts";
import { createRevocationEndpoint } from "./oauth/revoke.ts";
import { createTokenEndpoint } from "./oauth/token.ts";
import { createUserinfoEndpoint } from "./oauth/userinfo.ts";
import { createValidationDataEndpoint } from "./oauth/validation-data.ts";
import { createGuardedFetch } from "./outgoing/guarded-fetch.ts";
import { createLimits, createRoutes, type Handlers } from "./routes.ts";
import { createContinue } from "./sign-in/continue.ts";
import { createDnsChallenge } from "./sign-in/dns-challenge.ts";
import { createDnsSetup } from "./sign-in/dns-setup.ts";
import { createDomainStep } from "./sign-in/domain.ts";
import { createExternal } from "./sign-in/external.ts";
import { createExternalCallback, interactionOfAnswer } from "./sign-in/external-callback.ts";
import { CLEAN_UP_TABLES, cleanUp } from "./store/clean-up.ts";
import type { SqlEngine } from "./store/engine.ts";
import { openDatabase } from "./store/open.ts";
import { createStore, type Store } from "./store/store.ts";
import { type Events, jsonEvents } from "./telemetry/events.ts";

export interface Service {
  /** Answers one request. Waits until the service is ready. `clientAddress` is the other end's. */
  fetch(request: Request, info: { clientAddress: string }): Promise<Response>;
  /** The same with plain values, for a host that has no web-standard request at hand. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** Resolves when the database is open and its schema is current; rejects when that cannot be. */
  ready(): Promise<void>;
  /** From now on `/readyz` sends new requests elsewhere; everything is answered as before. */
  stopping(): void;
  close(): Promise<void>;
  readonly clients: ClientRegistry;
}

/** What a host may put in the place of the system's own. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: Random;
  /** How the work in the background waits for its turn. */
  readonly sleep?: Sleep;
  /** New signing keys: RSA keys cost so much that hundreds of tests share a few. */
  readonly makeKey?: typeof makeSigningKey;
  readonly events?: Events;
  /** Where a zone's own name servers may be asked: public addresses, unless a test has them elsewhere. */
  readonly reach?: Reach;
  /** Stands between the store and its engine: how tests count statements, or change one. */
  readonly instrument?: (engine: SqlEngine) => SqlEngine;
}

/** Milliseconds between two readings of the keys, so that a rotation is known everywhere within a minute. */
const KEYS_TENDED_EVERY = 30_000;
/** Milliseconds between two walks through the tables, and through the accounts. */
const CLEANED_UP_EVERY = 60_000;
const WALKED_EVERY = 600_000;

/** The service as a library. Any Node host can mount its `fetch`. */
export function createService(config: ServiceConfig, overrides: Overrides = {}): Service {
  const { clock = systemClock, random = systemRandom, instrument = (engine) => engine } = overrides;
  const { engine, ready } = openDatabase(config.database);
  const store = createStore(instrument(engine));
  const events = overrides.events ?? jsonEvents();
  const state = { stopping: false };
  const given = { store, clock, random, events, isStopping: () => state.stopping };
  const started = ready().then(() => assemble(config, { ...overrides, ...given }));
  const answer = started.then(answerOf);
  const closing = new AbortController();
  const background = started
    .then((all) => runBackground(all, closing.signal, overrides.sleep ?? systemSleep))
    // That it could not start is told by ready() and fetch(); nobody may be waiting yet.
    .catch(() => {});
  const addressOf = clientAddresses(config.trustedProxies ?? [], (address) =>
    events.undeclaredProxy({ address }),
  );
  const handle = async (http: HttpRequest) =>
    (await answer)({ ...http, clientAddress: addressOf(http, http.clientAddress) });
  return {
    fetch: (request, { clientAddress }) => answerFetch(request, clientAddress, handle),
    handle,
    ready: async () => void (await answer),
    stopping: () => {
      state.stopping = true;
    },
    close: async () => {
      closing.abort();
      await background;
      await store.close();
    },
    clients: clientRegistry({ store, clock, random, ready: started }),
  };
}

/** What the service has from its host and its database. */
interface Given extends Pick<Overrides, "reach" | "makeKey"> {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
  readonly isStopping: () => boolean;
}

/** Everything that there is in a service. A handler sees of it what its factory names. */
export type Everything = Awaited<ReturnType<typeof assemble>>;

/** Makes every part once, from a database that is ready. */
async function assemble(config: ServiceConfig, given: Given) {
  const { issuer, minAssurance } = config;
  const { store, clock, random, events, reach, makeKey } = given;
  await claimIssuer(store, issuer);
  const resolvers = config.dnsServers.length;
  if (minAssurance !== "single" && resolvers < resolversForAQuorum) {
    events.fewResolvers({ resolvers, needed: resolversForAQuorum });
  }
  const seal = sealWith(config.secret, random, config.previousSecret);
  const keyring = await openKeyring({ store, seal, clock, random, makeKey });
  if (seal.hasFormer) {
    const { resealSpSecrets } = await import("./federation/sp-registry.ts");
    await resealSpSecrets({ store, seal });
  }
  const allowLoopback = issuer.startsWith("http:");
  const resolve = hostAddresses(config.dnsServers);
  // One each: whoever makes a kind of requests hang takes no turn from another kind.
  const outgoing = () => createGuardedFetch({ resolve, allowLoopback });
  const { clients, clientKeys } = withDocuments(cachedClients(store, clock), {
    ...{ issuer, fetch: outgoing(), clock, allowLoopback },
  });
  const federation = createFederation({
    ...{ issuer, store, seal, keyring, clock, allowLoopback },
    ...{ fetch: outgoing(), fetchAgain: outgoing() },
  });
  const { spRecords, diagnoses } = createLooks(config, { clock, store, events, reach });
  const readRequest = (query: string, askedBy?: string) =>
    readAuthorizationRequest(query, { clients, issuer, askedBy });
  return {
    ...given,
    ...{ issuer, minAssurance, keyring, clients, clientKeys, federation, spRecords, diagnoses },
    ...{ readRequest, cookies: cookiesOf(issuer), domainNames: domainNameOptions(config) },
    control: controlThrough({ store, spRecords, least: minAssurance, clock }),
    statementJkt: () => keyring.statementJkt(clock.seconds()),
  };
}

/** The map, with what its columns stand for. */
function answerOf(all: Everything): Answer {
  const { request, interaction, step } = createRequirements(all);
  return createRoutes(handlersOf(all), {
    issuer: all.issuer,
    events: all.events,
    limits: createLimits(all.clock),
    errorResponses: { json: jsonErrors(all), page: pageErrors(all) },
    prepare: {
      none: (http) => ({ context: http }),
      request,
      interaction,
      "dns-setup": step("dns-setup"),
      "dns-challenge": step("dns-challenge"),
      external: step("external"),
      "external answer": step("external", interactionOfAnswer),
      consent: step("consent"),
      complete: step("complete"),
    },
  });
}

function handlersOf(all: Everything): Handlers {
  return {
    ...createAuthorize(all),
    ...createDomainStep(all),
    ...createContinue(all),
    ...createDnsSetup(all),
    ...createDnsChallenge(all),
    ...createExternal(all),
    ...createExternalCallback(all),
    ...createConsent(all),
    ...createAuthorizationResponse(all),
    ...createTokenEndpoint(all),
    ...createUserinfoEndpoint(all),
    ...createValidationDataEndpoint(all),
    ...createRevocationEndpoint(all),
    ...createMetadataEndpoint(all),
    ...createJwksEndpoint(all),
    ...createClientDocuments(all),
    ...createHealth({ ping: () => all.store.ping(), isStopping: all.isStopping }),
  };
}

/** The work that nobody asks for: tending keys, removing what has ended, and looking at accounts. */
function runBackground(all: Everything, signal: AbortSignal, sleep: Sleep) {
  const repeat = (every: number, task: (pause: Pause) => Promise<unknown>, path: string) =>
    repeatUntil(signal, every, task, failed(path), sleep);
  const failed = (path: string) => (cause: unknown) => all.events.failed({ path, cause });
  const cleanUpAll = async (pause: Pause) => {
    for (const table of CLEAN_UP_TABLES) await cleanUp(table, all, pause);
  };
  return Promise.all([
    repeat(KEYS_TENDED_EVERY, () => all.keyring.tend(), "keys"),
    repeat(CLEANED_UP_EVERY, cleanUpAll, "clean-up"),
    repeat(WALKED_EVERY, (pause) => walkAccounts(all, pause), "account walk"),
  ]);
}

/** Records in every zone and tokens at every client name the issuer: it cannot change under them. */
async function claimIssuer(store: Store, issuer: string): Promise<void> {
  const { host } = new URL(issuer);
  const claimed = await store.claimFact("issuer_host", host);
  if (claimed !== host) {
    throw new OperatorError(
      `the database belongs to the issuer host ${claimed}, not to ${host}: an issuer cannot be changed, so name another database or begin with an empty one`,
    );
  }
}

export function domainNameOptions({
  allowedSpecialNames,
  allowedPrivateSuffixes = [],
}: Pick<CheckConfig, "allowedSpecialNames" | "allowedPrivateSuffixes">) {
  return {
    allowedSpecialNames: new Set(allowedSpecialNames),
    allowedPrivateSuffixes: new Set(allowedPrivateSuffixes),
  };
}

/** The keys in their operator's hands. Without a secret they are listed only. */
export function keyRegistryOf(
  { secret, previousSecret }: Pick<KeysConfig, "secret" | "previousSecret">,
  parts: { store: Store; clock: Clock; random: Random; ready: Promise<unknown> },
): KeyRegistry {
  return keyRegistry({ ...parts, seal: sealOf({ secret, previousSecret }, parts.random) });
}

/** Null without a secret. */
export function sealOf(
  { secret, previousSecret }: Pick<KeysConfig, "secret" | "previousSecret">,
  random: Random,
): Seal | null {
  return secret === null ? null : sealWith(secret, random, previousSecret);
}

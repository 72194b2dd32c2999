// The composition root: creates the components of a service and its handlers.

import { createAccountAccess } from "./account/account-access.ts";
import { createControl } from "./account/control.ts";
import { createHistory } from "./account/history-writer.ts";
import { createAccountPage } from "./account-page/account.ts";
import { createAccountRequirement } from "./account-page/account-session.ts";
import { createChanges } from "./account-page/changes.ts";
import { createAccountForms } from "./account-page/forms.ts";
import { withAccountPage } from "./clients/account-client.ts";
import { withDocuments } from "./clients/client-documents.ts";
import { createRegistries } from "./clients/client-registry.ts";
import { knownResources } from "./clients/known-resources.ts";
import { createRegisteredClients } from "./clients/registered-clients.ts";
import { registrationMistake } from "./clients/registration-mode.ts";
import type { ServiceConfig } from "./config/config.ts";
import { resolversMistake } from "./dns/assurance.ts";
import { createLooks, type LookOverrides } from "./dns/looks.ts";
import { hostAddresses } from "./dns/name-servers.ts";
import { createStatementKeysFor } from "./dns/own-record.ts";
import { createResolvers } from "./dns/resolvers.ts";
import { createFederation } from "./federation/federation.ts";
import { createClientDocuments } from "./federation/own-documents.ts";
import { cookiesOf } from "./http/cookies.ts";
import { createHealth } from "./http/health.ts";
import type { HttpRequest } from "./http/message.ts";
import { createNetworkWeights } from "./http/network-weights.ts";
import { limitKeys } from "./http/rate-limit.ts";
import { storedRooms } from "./http/stored-rooms.ts";
import { createDomainForm } from "./interaction/domain-form.ts";
import { createFlow } from "./interaction/flow.ts";
import type { PendingRequest } from "./interaction/pending-request.ts";
import { createRequirements } from "./interaction/requirements.ts";
import { claimIssuer } from "./keys/claim-issuer.ts";
import { createCookieSeal } from "./keys/cookie-seal.ts";
import { type Keyring, openKeyring } from "./keys/keyring.ts";
import { sealWith } from "./keys/seal.ts";
import type { makeSigningKey } from "./keys/signing-key.ts";
import type { Clock } from "./lib/clock.ts";
import { OperatorError } from "./lib/errors.ts";
import { isMisdated } from "./lib/lifetime.ts";
import { LIMITS } from "./lib/limits.ts";
import { isLoopbackIssuer } from "./lib/loopback-issuer.ts";
import type { Random } from "./lib/random.ts";
import { createAccessTokens } from "./oauth/access-tokens.ts";
import { createAuthorizationCodeGrant } from "./oauth/authorization-code-grant.ts";
import { createReadRequest } from "./oauth/authorization-request.ts";
import { createAuthorizationResponse } from "./oauth/authorization-response.ts";
import { createAuthorize } from "./oauth/authorize.ts";
import { createBackChannelLogout } from "./oauth/back-channel-logout.ts";
import { createResourceEndpoints } from "./oauth/bearer.ts";
import { createClientAuthentication } from "./oauth/client-authentication.ts";
import { createConsent } from "./oauth/consent.ts";
import { createContinueAtOnce } from "./oauth/continue-at-once.ts";
import { createDeliveries } from "./oauth/delivery.ts";
import { createLogout } from "./oauth/logout.ts";
import { createMetadataEndpoints } from "./oauth/metadata.ts";
import { createRefreshTokenGrant } from "./oauth/refresh-token-grant.ts";
import { createRegistration } from "./oauth/registration-endpoint.ts";
import { createStatements } from "./oauth/statements.ts";
import { createTokenEndpoints } from "./oauth/token.ts";
import { createFetches, type Fetches } from "./outgoing/fetches.ts";
import { createBrowserSessions } from "./sessions/browser-sessions.ts";
import { createContinueProofs } from "./sessions/continue-proof.ts";
import { createReturningBrowsers } from "./sessions/returning-browser.ts";
import { createUnseenNews } from "./sessions/unseen-news.ts";
import { createAccountChanges } from "./sign-in/account-change.ts";
import { createChallenges } from "./sign-in/challenge-cookie.ts";
import { createCheck } from "./sign-in/check.ts";
import { createDnsChallenge } from "./sign-in/dns-challenge.ts";
import { createDomainStep } from "./sign-in/domain.ts";
import { createDomainPasskey } from "./sign-in/domain-passkey.ts";
import { answerOfRequest, createExternal } from "./sign-in/external.ts";
import { createNewPasskey } from "./sign-in/new-passkey.ts";
import { createNewRecoveryCodes } from "./sign-in/new-recovery-codes.ts";
import { createNews } from "./sign-in/news.ts";
import { createNewCeremony } from "./sign-in/owner-statement.ts";
import { createPasskeyStep } from "./sign-in/passkey.ts";
import { createSignalsOf } from "./sign-in/passkey-signals.ts";
import { createRecoveryCodeEntry } from "./sign-in/recovery-code-entry.ts";
import { createRecoveryCodes } from "./sign-in/recovery-codes.ts";
import { createDnsSetup } from "./sign-in/set-up/dns-setup.ts";
import { createSetUpEnd } from "./sign-in/set-up/finish-set-up.ts";
import { createFormerAccounts, createFormerRecord } from "./sign-in/set-up/former-record.ts";
import { createHandOn } from "./sign-in/set-up/hand-on.ts";
import { createSetUps } from "./sign-in/set-up/set-up.ts";
import { createAcceptPasskey } from "./sign-in/use-passkey.ts";
import { sessionDaysMistake } from "./store/session-lifetimes.ts";
import { HISTORY_DAYS } from "./store/shared-values.ts";
import type { Store } from "./store/store.ts";
import { createBudgets } from "./telemetry/budgets.ts";
import type { Events } from "./telemetry/events.ts";
import type { TimeAuthority } from "./time/authority.ts";

interface HostDeps extends LookOverrides {
  readonly dnsCa?: string | undefined;
  readonly makeKey?: typeof makeSigningKey | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly time: TimeAuthority;
  readonly random: Random;
  readonly events: Events;
  readonly isStopping: () => boolean;
  /** The fraction of the thread's time that pages get beside other requests. */
  readonly pageShare: number | undefined;
}

/** All components of a service. The `Deps` type of a handler factory selects those that it uses. */
export type Everything = Awaited<ReturnType<typeof assemble>>;

/** Creates all components. The schema of the database must be current. */
export async function assemble(config: ServiceConfig, host: HostDeps) {
  const basis = await createBasis(config, host);
  return { ...basis, ...createTokens(basis), ...createSignInParts(basis) };
}

function createSignInParts(basis: Awaited<ReturnType<typeof createBasis>>) {
  const { completeInteraction, issueCode } = createAuthorizationResponse(basis);
  const flow = createFlow({ ...basis, completeInteraction });
  const setUps = createSetUps(basis);
  const challenges = createChallenges(basis);
  const accountChanges = createAccountChanges(basis);
  return {
    ...{ flow, setUps, challenges, accountChanges, completeInteraction, issueCode },
    ...createContinueAtOnce({ ...basis, issueCode }),
    showDomainForm: createDomainForm(basis),
    formerAccounts: createFormerAccounts(basis),
    enterRecoveryCode: createRecoveryCodeEntry(basis),
    newRecoveryCodes: createNewRecoveryCodes({ ...basis, accountChanges }),
    acceptPasskey: createAcceptPasskey(basis),
    newCeremony: createNewCeremony(basis),
    signalsOf: createSignalsOf(basis),
    setUpEnd: createSetUpEnd({ ...basis, flow }),
    keptStep: async (http: HttpRequest, interactionId: string, request: PendingRequest) =>
      (await setUps.keptStep(http, interactionId)) ??
      challenges.keptStep(http, interactionId, request),
    clientOfSetUp: async (http: HttpRequest, interactionId: string) =>
      (await setUps.ofInteraction(http, interactionId))?.client,
  };
}

function createTokens(basis: Awaited<ReturnType<typeof createBasis>>) {
  const accessTokens = createAccessTokens(basis);
  const statements = createStatements(basis);
  return {
    accessTokens,
    statements,
    sendLogoutTokens: createBackChannelLogout({ ...basis, statements }),
    clientAuthentication: createClientAuthentication(basis),
    deliveryTo: createDeliveries(basis),
    redeemCode: createAuthorizationCodeGrant({ ...basis, accessTokens, statements }),
    rotateRefreshToken: createRefreshTokenGrant({ ...basis, accessTokens }),
  };
}

async function createBasis(config: ServiceConfig, host: HostDeps) {
  const { issuer, minAssurance, allowedSpecialNames, allowedPrivateSuffixes } = config;
  const { store, clock, random } = host;
  const mistake =
    resolversMistake(minAssurance, config.dnsServers.length) ??
    sessionDaysMistake(config) ??
    registrationMistake(config);
  if (mistake !== null) throw new OperatorError(mistake);
  await claimIssuer(store.installation, issuer);
  const history = createHistory({ ...store, clock, random, events: host.events });
  const { events } = history;
  const keys = await openKeys(config, host);
  const { keyring } = keys;
  const sharing = sharingOf(config, { ...host, events, keyring });
  const { looks, ...outside } = createOutside(config, { ...host, ...sharing, events }, keys);
  const browser = browserParts({ ...host, issuer, keyring });
  return {
    ...{ ...host, ...store, events, history, keyring, issuer, minAssurance },
    historyDays: config.historyDays ?? HISTORY_DAYS,
    securityContact: config.securityContact ?? null,
    ...registrationOf(config, host),
    ...sharing,
    ...outside,
    ...looks,
    ...browser,
    ...roomsFor({ ...host, ...sharing, events, keyring }),
    browserSessions: createBrowserSessions({ ...store, ...browser, clock, random, events }),
    unseenNews: createUnseenNews({ ...store, history, clock }),
    domainNames: { allowedSpecialNames, allowedPrivateSuffixes },
    control: createControl({ ...store, ...looks, minAssurance, clock, events }),
    accountAccess: createAccountAccess({ ...store, clock }),
    statementKeysFor: createStatementKeysFor(config.recordSpk, keyring.statementKeys),
  };
}

type SharedParts = ReturnType<typeof sharingOf>;

/** What strangers share: how much there is, who may hold more, and what an operator sees of it. */
function sharingOf({ limits }: ServiceConfig, host: HostDeps & { readonly keyring: Keyring }) {
  const seal = createCookieSeal("domain-signin network weight v1", host);
  // By the oldest key: it stays the same while others are added, until an operator ends it.
  const macOf = (text: string) => seal.mac(text, 0);
  return {
    limits: { ...LIMITS, ...limits },
    budgets: createBudgets(host),
    networkWeights: createNetworkWeights({ ...host, ...host.store, macOf }),
  };
}

/** Also seals again what is sealed with a former secret. */
async function openKeys(
  { secret, previousSecret }: ServiceConfig,
  { store, clock, random, makeKey }: HostDeps,
) {
  const seal = sealWith(secret, random, previousSecret);
  const keyring = await openKeyring({ ...store, seal, clock, random, makeKey });
  if (seal.hasPrevious) {
    const { resealSpSecrets } = await import("./federation/sp-registry.ts");
    await resealSpSecrets(store.spClients, seal);
  }
  return { seal, keyring };
}

/** What sends requests to other hosts: name servers, and the hosts of clients, resources and service providers. */
function createOutside(
  config: ServiceConfig,
  { store, clock, random, events, reach, panelOf, dnsCa, ...sharing }: HostDeps & SharedParts,
  keys: Awaited<ReturnType<typeof openKeys>>,
) {
  const { issuer } = config;
  const allowLoopback = isLoopbackIssuer(issuer);
  const resolvers = createResolvers(config.dnsServers, { ca: dnsCa, events });
  resolvers.watch();
  const resolve = hostAddresses(resolvers);
  const { limits, budgets, networkWeights } = sharing;
  const { weightOf } = networkWeights;
  const fetches = createFetches({
    ...{ resolve, allowLoopback, clock, weightOf, budget: budgets.budget("outgoing") },
    atOnce: limits.outgoing,
  });
  // Packets of set-up must not reach this service, even at an address outside of this machine.
  const ownAddresses = async () => (allowLoopback ? [] : resolve(new URL(issuer).hostname));
  const looks = createLooks(config, {
    ...{ clock, store, events, resolvers, reach, panelOf, ownAddresses },
    weightOf,
    budgets: {
      nameServers: budgets.budget("name_servers"),
      lookUps: budgets.budget("look_ups"),
    },
  });
  return {
    ...{ looks, resolvers },
    ...createKnown(config, clock, store, fetches),
    federation: createFederation({
      ...{ issuer, clock, allowLoopback, ...store, seal: keys.seal, random, fetch: fetches.sps },
      assertionKey: () => keys.keyring.signingKeyAt("client-assertion", clock.seconds()),
    }),
    logoutFetch: fetches.logouts,
  };
}

/** The clients and resources that a request can name: registered ones, and those with documents. */
function createKnown(
  { issuer, resourceDocuments }: ServiceConfig,
  clock: Clock,
  store: Store,
  fetches: Fetches,
) {
  const registered = createRegisteredClients(store.registrations, clock);
  const settings = { issuer, clock, allowLoopback: isLoopbackIssuer(issuer) };
  const ofClients = { ...settings, fetch: fetches.documents };
  const { clients: known, clientKeys } = withDocuments(registered.clients, ofClients);
  const clients = withAccountPage(known, issuer);
  const documents = resourceDocuments === "off" ? null : { ...settings, fetch: fetches.resources };
  const resources = knownResources(registered.resources, documents);
  const readRequest = createReadRequest({ clients, resources, issuer });
  return { clients, clientKeys, registeredResources: registered.resources, readRequest };
}

function registrationOf(config: ServiceConfig, { store, clock, random }: HostDeps) {
  const ready = Promise.resolve();
  return {
    registration: config.registration ?? "off",
    registrationOrigins: config.registrationOrigins ?? [],
    registrationPkce: config.registrationPkce ?? "optional",
    registrationToken: config.registrationToken ?? null,
    removeClient: createRegistries({ ...store, clock, random, ready }).clients.remove,
  };
}

/** The limit of all self-registered clients of one registrant. */
const ASSERTIONS_PER_MINUTE = 3000;

/** What browsers keep for this service, each sealed with a key of its own, and what is counted of strangers. */
function browserParts(deps: HostDeps & { readonly issuer: string; readonly keyring: Keyring }) {
  const { store, clock } = deps;
  const { mac } = createCookieSeal("domain-signin browser cookie v1", deps);
  const cookies = cookiesOf(deps.issuer, (text) => mac(text, 0));
  const seals = {
    setUpSeal: createCookieSeal("domain-signin set-up cookie v1", deps),
    dnsChallengeSeal: createCookieSeal("domain-signin DNS challenge cookie v1", deps),
    linkSeal: createCookieSeal("domain-signin set-up link v1", deps),
    // Former versions used v1 and v2. No version accepts the challenges of another.
    challengeSeal: createCookieSeal("domain-signin passkey challenge v3", deps),
    returningSeal: createCookieSeal("domain-signin returning browser v1", deps),
    continueSeal: createCookieSeal("domain-signin continue page v1", deps),
    continuedGrantSeal: createCookieSeal("domain-signin continued grant v1", deps),
  };
  /** When a backup was last restored. A time that is far ahead was written by a wrong clock, and counts as never. */
  async function restoredAt(): Promise<number | null> {
    const time = (await store.installation.readInstallation())?.restoredAt ?? null;
    return time === null || isMisdated(time, clock.seconds()) ? null : time;
  }
  const browser = { cookies, ...seals, restoredAt, clock };
  return {
    ...browser,
    returningBrowsers: createReturningBrowsers(browser),
    continueProofs: createContinueProofs(browser),
    assertionLimit: limitKeys(ASSERTIONS_PER_MINUTE, clock),
  };
}

/** What strangers cause to be stored, by the networks that cause it. */
function roomsFor(deps: HostDeps & SharedParts & { readonly keyring: Keyring }) {
  const { mac } = createCookieSeal("domain-signin network v1", deps);
  const onFailure = (cause: unknown) => deps.events.failed({ path: "limits", cause });
  const { weightOf } = deps.networkWeights;
  return storedRooms({ ...deps, budget: deps.budgets.budget, mac, onFailure, weightOf });
}

export type Requirements = ReturnType<typeof requirementsOf>;

/**
 * What routes require: the HTTP request alone; a valid authorization request in the query; a session of the account in
 * the form; an open interaction of this browser, perhaps at this step (otherwise the response redirects to its step);
 * or the interaction of `state` in an SP's response. `new-passkey` checks its step itself: changes use it too.
 */
export function requirementsOf(all: Everything) {
  const { request, interaction, step } = createRequirements(all);
  return {
    none: (http: HttpRequest) => ({ context: http }),
    request,
    account: createAccountRequirement(all),
    interaction,
    "dns-setup": step("dns-setup"),
    "recovery-codes": step("recovery-codes"),
    passkey: step("passkey"),
    "dns-challenge": step("dns-challenge"),
    external: step("external"),
    "external answer": step("external", answerOfRequest(all.cookies)),
    news: step("news"),
    consent: step("consent"),
    complete: step("complete"),
  };
}

export type Handlers = ReturnType<typeof handlersOf>;

export function handlersOf(all: Everything) {
  const { completeInteraction } = all;
  return {
    ...createAuthorize(all),
    ...createCheck(all),
    ...createDomainStep(all),
    ...createDomainPasskey(all),
    ...createDnsSetup(all),
    ...createFormerRecord(all),
    ...createHandOn(all),
    ...createRecoveryCodes(all),
    ...createPasskeyStep(all),
    ...createNewPasskey(all),
    ...createChanges(all),
    ...createDnsChallenge(all),
    ...createExternal(all),
    ...createNews(all),
    ...createConsent(all),
    ...createAccountPage(all),
    ...createAccountForms(all),
    completeInteraction,
    ...createLogout(all),
    ...createTokenEndpoints(all),
    ...createResourceEndpoints(all),
    ...createRegistration(all),
    ...createMetadataEndpoints(all),
    ...createClientDocuments(all),
    ...createHealth(all),
  };
}

// The OAuth endpoints for unit tests: an in-memory store, a fake clock and a fake DNS, no sockets.

import { type ControlResult, createControl } from "../../src/account/control.ts";
import { createHistory } from "../../src/account/history-writer.ts";
import type { Everything } from "../../src/assemble.ts";
import { type Client, readClient } from "../../src/clients/client.ts";
import { type ClientRegistrationInput, makeClient } from "../../src/clients/client-registration.ts";
import { type KnownResources, knownResources } from "../../src/clients/known-resources.ts";
import { createRegisteredClients } from "../../src/clients/registered-clients.ts";
import type { SqlEngine } from "../../src/database/engine.ts";
import type { SpRecordLook } from "../../src/dns/sp-record.ts";
import type { Handler, HttpRequest, HttpResponse } from "../../src/http/message.ts";
import { createNetworkWeights } from "../../src/http/network-weights.ts";
import type { Prepared } from "../../src/http/pipeline.ts";
import { createDomainForm } from "../../src/interaction/domain-form.ts";
import { createFlow } from "../../src/interaction/flow.ts";
import { createCookieSeal } from "../../src/keys/cookie-seal.ts";
import { signJws } from "../../src/keys/jws.ts";
import { type Keyring, openKeyring } from "../../src/keys/keyring.ts";
import { sealWith } from "../../src/keys/seal.ts";
import { clockFrom } from "../../src/lib/clock.ts";
import { SERVICE } from "../../src/lib/fair-queue.ts";
import { sha256, systemRandom, timeOrderedId } from "../../src/lib/random.ts";
import { createAccessTokens, type TokenResponse } from "../../src/oauth/access-tokens.ts";
import {
  createAuthorizationCodeGrant,
  type TokenGrant,
} from "../../src/oauth/authorization-code-grant.ts";
import { createReadRequest } from "../../src/oauth/authorization-request.ts";
import { createAuthorizationResponse } from "../../src/oauth/authorization-response.ts";
import { createClientAuthentication } from "../../src/oauth/client-authentication.ts";
import { createDeliveries, type Delivery } from "../../src/oauth/delivery.ts";
import { mintCode } from "../../src/oauth/grant-token.ts";
import { createRefreshTokenGrant } from "../../src/oauth/refresh-token-grant.ts";
import { createStatements, PURPOSE_OF } from "../../src/oauth/statements.ts";
import { createBrowserSessions } from "../../src/sessions/browser-sessions.ts";
import { createContinueProofs } from "../../src/sessions/continue-proof.ts";
import { createUnseenNews } from "../../src/sessions/unseen-news.ts";
import type { Account } from "../../src/store/accounts.ts";
import type { Grant } from "../../src/store/grant-row.ts";
import type { NewGrant } from "../../src/store/issue.ts";
import type { Store } from "../../src/store/store.ts";
import { testCookies } from "./cookies.ts";
import { httpRequest } from "./http-request.ts";
import { openMemoryStore } from "./memory-store.ts";
import { ROOMS } from "./rooms.ts";
import { someDelivery } from "./some-delivery.ts";
import { ownRecord, someLook } from "./some-look.ts";
import { someSession } from "./store-rows.ts";
import { makeTestKey } from "./test-keys.ts";

export const ISSUER = "https://auth.example.com";
export const REDIRECT_URI = "https://app.example.org/callback";
export const START = 1_800_000_000;

/** How a code or a refresh token is presented. */
export interface Presentation {
  readonly by: Client;
  /** Whether the client has authenticated. Default: true. */
  readonly isProven?: boolean;
  /** Further parameters of the request; `undefined` leaves a parameter out. */
  readonly sent?: Readonly<Record<string, string | undefined>>;
  /** Default: the parts of the world. */
  readonly parts?: Everything;
  readonly delivery?: Delivery;
}

export interface OAuthWorld {
  readonly parts: Everything;
  readonly engine: SqlEngine;
  readonly store: Store;
  readonly keyring: Keyring;
  /** In epoch seconds; tests may change it. */
  now: number;
  /** The lookup result for every domain. */
  look: SpRecordLook;
  control: ControlResult;
  /** The grants whose accounts are to be checked in the background. */
  readonly checkedLater: string[];
  /** The reported events. */
  readonly reported: { readonly event: string; readonly fields: object }[];
  /** Registers a client; settings that are not given have their defaults. */
  addClient(
    input?: Partial<ClientRegistrationInput>,
  ): Promise<{ client: Client; secret: string | null }>;
  /** Adds a live account with its own domain. */
  addAccount(): Promise<Account>;
  /** Starts a session and returns it as the browser's `Cookie` header. */
  signIn(account: Account, changes?: { amr?: string }): Promise<string>;
  /** Starts a session without a cookie, and returns its sid. */
  openSession(account: Account): Promise<string>;
  issueGrant(client: Client, account: Account, changes?: Partial<NewGrant>): Promise<string>;
  grant(id: string): Promise<Grant | undefined>;
  revokedAt(id: string): Promise<number | null | undefined>;
  /** Keeps evidence of the sign-in of this account for 25 minutes. */
  keepEvidence(grantId: string, account: Account, more?: object): Promise<void>;
  /** The code of a grant. */
  codeOf(grantId: string): string;
  /** Presents a code; `undefined` for a request without one. */
  redeem(code: string | undefined, how: Presentation): Promise<TokenResponse>;
  /** Presents a refresh token; `undefined` for a request without one. */
  refresh(token: string | undefined, how: Presentation): Promise<TokenResponse>;
  /** A look that finds the record of the account. */
  lookOf(account: Account, changes?: Partial<SpRecordLook>): SpRecordLook;
  /** Signs a JWT with the key of ID tokens. */
  signed(claims: object, typ?: string): string;
}

const seal = sealWith("a secret of the unit tests", systemRandom);
const random = systemRandom;

/** Created once per file: each test uses its own clients, accounts and grants. */
export async function makeOAuthWorld(): Promise<OAuthWorld> {
  const { engine, ...store } = await openMemoryStore();
  let now = START;
  const clock = clockFrom(() => now * 1000);
  const keyring = await openKeyring({ ...store, seal, clock, random, makeKey: makeTestKey });
  const cookies = testCookies(ISSUER);
  const reported: OAuthWorld["reported"] = [];
  const events = new Proxy({} as Everything["events"], {
    get: (_, event) => (fields: object) => void reported.push({ event: String(event), fields }),
  });
  const returningBrowsers = {
    cookieFor: () => cookies.set("returning", "of no use here"),
    read: () => null,
  };
  const history = createHistory({ ...store, clock, random, events });
  const browser = { ...store, cookies, returningBrowsers, clock, random, events };
  const browserSessions = createBrowserSessions(browser);
  const seals = { keyring, clock, random };
  const challengeSeal = createCookieSeal("domain-signin passkey challenge v3", seals);
  const newRegistered = () => createRegisteredClients(store.registrations, clock);
  const spRecords = { look: async () => world.look } as unknown as Everything["spRecords"];
  const minAssurance = "corroborated";
  const parts: Everything = {
    ...({} as Everything),
    ...store,
    ...{ issuer: ISSUER, store, keyring, clock, random, cookies, events, history, challengeSeal },
    minAssurance,
    returningBrowsers,
    browserSessions,
    unseenNews: createUnseenNews({ ...store, history, clock }),
    ...ROOMS,
    networkWeights: createNetworkWeights({ ...store, clock, macOf: sha256 }),
    continueProofs: createContinueProofs({
      continueSeal: createCookieSeal("continue", seals),
      continuedGrantSeal: createCookieSeal("grant", seals),
      clock,
    }),
    flow: createFlow({
      ...{ ...browser, browserSessions, ...ROOMS },
      completeInteraction: (context) =>
        createAuthorizationResponse(parts).completeInteraction(context as never),
    }),
    showDomainForm: createDomainForm({ issuer: ISSUER, cookies, challengeSeal, clock, random }),
    keptStep: async () => null,
    clientOfSetUp: async () => undefined,
    assertionLimit: { take: () => {} },
    registration: "off" as const,
    // Without a cache.
    clients: { find: (...lookup) => newRegistered().clients.find(...lookup) },
    registeredResources: {
      findCaller: (...lookup) => newRegistered().resources.findCaller(...lookup),
      findByUri: (uri) => newRegistered().resources.findByUri(uri),
      readByUri: (uri) => newRegistered().resources.readByUri(uri),
      scopes: () => newRegistered().resources.scopes(),
    },
    readRequest: (query, sender) =>
      createReadRequest({
        clients: parts.clients,
        resources: knownResources(parts.registeredResources, null),
        issuer: ISSUER,
      })(query, sender),
    domainNames: { allowedSpecialNames: ["test"], allowedPrivateSuffixes: [] },
    spRecords,
    control: {
      ...createControl({ ...store, spRecords, minAssurance, clock, events }),
      check: async () => world.control,
      checkAndShow: async () => ({ result: world.control, look: null }),
      confirm: async () => world.control.control === "held",
      checkLater: ({ id }) => void world.checkedLater.push(id),
    },
    clientKeys: () => Promise.reject(new Error("no keys of clients here")),
    isStopping: () => false,
  };
  Object.assign(parts, tokenParts(parts));
  let count = 0;
  const world: OAuthWorld = {
    ...{ parts, engine, store, keyring, reported },
    get now() {
      return now;
    },
    set now(seconds) {
      now = seconds;
    },
    look: { outcome: "absent" } as SpRecordLook,
    control: { control: "held", checkedAt: START },
    checkedLater: [],
    async addClient(input = {}) {
      const { row, secret } = makeClient(
        { name: "App", redirect_uris: [REDIRECT_URI], ...input },
        { random, clock },
      );
      await store.registrations.addClient(row);
      return { client: readClient(row), secret };
    },
    async addAccount() {
      const number = ++count;
      const enrolment = {
        ...{ domain: `owner-${number}.test`, acct: `acct-${number}` },
        ...{ accountId: `sub_${number}`, finishHash: "finish" },
      };
      const enrolled = await store.enrolments.enrol({
        enrolment,
        recoveryCodeHashes: ["hash"],
        now: START,
      });
      if (typeof enrolled === "string") throw new Error("the account was not made");
      return enrolled.account;
    },
    async signIn({ id: accountId, domain }, { amr = "dns" } = {}) {
      const proof = { accountId, domain, authTime: world.now, amr, controlCheckedAt: world.now };
      const http = requestTo("/interaction/1/dns-challenge");
      const { secret, session } = parts.browserSessions.newSession(http, proof);
      await store.sessions.startSession(session);
      const setCookies = await parts.browserSessions.cookiesOf(http, proof, secret);
      return setCookies[0]?.split(";")[0] ?? "";
    },
    async issueGrant(client, account, changes = {}) {
      const id = timeOrderedId(clock, random);
      await store.grants.issueGrant({
        ...{ id, clientId: client.client_id, accountId: account.id, redirectUri: REDIRECT_URI },
        ...{ scope: "openid", codeChallenge: null, nonce: null, authTime: world.now, amr: "dns" },
        ...{ sid: "a session", claims: null },
        ...{ createdAt: world.now, codeExpiresAt: world.now + 600 },
        ...{ expiresAt: world.now + 365 * 86_400, controlCheckedAt: world.now, ...changes },
      });
      return id;
    },
    async openSession({ id }) {
      const times = { now, authTime: now, expiresAt: now + 86_400 };
      return (await store.sessions.startSession(someSession(id, times))).sid;
    },
    grant: async (id) => (await store.grants.readGrant(id))?.grant,
    revokedAt: async (id) => (await world.grant(id))?.revokedAt,
    async keepEvidence(grantId, { domain, acct }, more = {}) {
      const evidence = {
        ...{ v: 2, domain, domain_since: 1, acct, sp: ISSUER, redirect_uri: REDIRECT_URI },
        ...{ dns: { status: "unknown", checked_at: now }, ...more },
      };
      const body = JSON.stringify(evidence);
      await store.evidences.keepEvidence({ grantId, expiresAt: now + 1500, body });
    },
    codeOf: (grantId) => mintCode(keyring, grantId, now),
    redeem: (code, { sent, ...how }) =>
      present(createAuthorizationCodeGrant, { code, redirect_uri: REDIRECT_URI, ...sent }, how),
    refresh: (refresh_token, { sent, ...how }) =>
      present(createRefreshTokenGrant, { refresh_token, ...sent }, how),
    lookOf({ acct, domain }, changes) {
      const name = `_domain-signin.${domain}`;
      return someLook(ownRecord(acct), { name, checkedAt: now, ...changes });
    },
    signed(claims, typ = "JWT") {
      return signJws(keyring.signingKeyAt(PURPOSE_OF.ES256, now), { typ }, claims);
    },
  };
  function present(
    grantOf: (parts: Everything) => TokenGrant,
    sent: Readonly<Record<string, string | undefined>>,
    { by, isProven = true, parts: used = parts, delivery = someDelivery() }: Presentation,
  ): Promise<TokenResponse> {
    const values = Object.entries(sent).filter((pair): pair is [string, string] => !!pair[1]);
    return grantOf(used)({ client: by, isProven, from: SERVICE }, new Map(values), delivery);
  }
  return world;
}

/** What the endpoints with tokens share. */
export function tokenParts(parts: Everything) {
  const accessTokens = createAccessTokens(parts);
  const statements = createStatements(parts);
  const all = { ...parts, accessTokens, statements };
  return {
    ...{ accessTokens, statements },
    clientAuthentication: createClientAuthentication(all),
    deliveryTo: createDeliveries(all),
    redeemCode: createAuthorizationCodeGrant(all),
    rotateRefreshToken: createRefreshTokenGrant(all),
  };
}

/** The query of an authorization request. */
export function queryFor({ client_id }: Client, more: Readonly<Record<string, string>> = {}) {
  return new URLSearchParams({
    ...{ client_id, redirect_uri: REDIRECT_URI, response_type: "code", scope: "openid" },
    ...more,
  }).toString();
}

/** For requests that name no resource. */
export const noResources: KnownResources = {
  find: async () => ({ outcome: "unknown", problem: "is not registered" }),
};

/** A request as a handler receives it. */
export function requestTo(
  path: string,
  sent: {
    query?: string;
    form?: Record<string, string> | string;
    headers?: Record<string, string>;
    params?: Record<string, string>;
  } = {},
): HttpRequest {
  const { query = "", form, headers = {}, params = {} } = sent;
  const url = `${ISSUER}${path}${query === "" ? "" : `?${query}`}`;
  const request =
    form === undefined
      ? new Request(url, { headers })
      : new Request(url, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
          body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
        });
  return httpRequest(request, { params, clientAddress: "192.0.2.7" });
}

/** Runs a handler with the context that its route requires. */
export async function prepared<Context>(
  {
    requirement,
    http,
  }: { requirement: (http: HttpRequest) => Promise<Prepared<Context>>; http: HttpRequest },
  handler: Handler<Context>,
): Promise<HttpResponse> {
  const result = await requirement(http);
  return "response" in result ? result.response : handler(result.context);
}

// Tries a sign-in at an external SP as far as it goes without a person, and reports what the SP answered.

import type { Deps } from "../federation/deps.ts";
import type { ProviderMetadata } from "../federation/provider.ts";
import { authorizationUrl, callbackUri, type SpClient } from "../federation/sp-authorization.ts";
import { createSpClients, documentClient, wayToBecomeClient } from "../federation/sp-client.ts";
import {
  answerOf,
  failureOf,
  isUnavailable,
  type SpAnswer,
  SpFailure,
  type SpProblem,
  UnknownClientError,
  withoutSecrets,
} from "../federation/sp-problem.ts";
import {
  managementOf,
  type RegistrationManagement,
  readRegistration,
  registrationRequest,
  requestRegistration,
} from "../federation/sp-registration.ts";
import { jsonOf, sendMadeUpCode } from "../federation/token-endpoint.ts";
import { type Random, randomText } from "../lib/random.ts";
import { type GuardedFetch, GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import type { RequestContent } from "../outgoing/request.ts";
import {
  adviceFor,
  judgeAuthorization,
  judgeMadeUpCode,
  type TrialStepName,
} from "./sp-trial-answers.ts";

/** A request to the SP. `status` and what follows is its answer, null if there was none. */
export interface TrialStep {
  readonly name: TrialStepName;
  /** Null if it was not tried. */
  readonly ok: boolean | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly error_description: string | null;
  readonly detail: string;
}

/** `trial` in the JSON of `check-sp --try`. Contains no secret. */
export interface SpTrial {
  /** The issuer of the service that the SP is tried for. */
  readonly service: string;
  /** Null if there is none. */
  readonly client: {
    readonly client_id: string;
    readonly source: SpClient["source"];
    readonly redirect_uri: string;
    readonly token_endpoint_auth_method: SpClient["method"];
    readonly id_token_signed_response_alg?: string;
  } | null;
  /** The client metadata that was sent for registration, or null. */
  readonly sent: ReturnType<typeof registrationRequest> | null;
  /** What became of a registration that was made: kept for sign-ins, removed, or still at the SP. */
  readonly registration: "stored" | "removed" | "left" | null;
  readonly steps: readonly TrialStep[];
}

export interface TrialProblem extends Pick<SpProblem, "kind" | "detail"> {
  /** What to change at the SP. */
  readonly advice: string;
}

export interface TrialDeps extends Pick<Deps, "issuer" | "fetch" | "clock" | "allowLoopback"> {
  readonly random: Random;
  /**
   * The registrations and keys of the service, which sign-ins use. Null without its database: a registration is then
   * made for the trial only.
   */
  readonly service: Pick<Deps, "spClients" | "seal" | "keyring"> | null;
}

const STEP_TIMEOUT_MS = 5000;
/** Nobody's account: the domain is reserved (RFC 2606 §3). */
const LOGIN_HINT = "example.com";
/** Some SPs describe an error only in JSON. */
const ACCEPT = "application/json, text/html;q=0.9, */*;q=0.8";

interface Tried {
  readonly step: TrialStep;
  /** Null if the step went well, or if sign-ins do not need it. */
  readonly problem: TrialProblem | null;
}

/** The SP must meet the requirements, and there must be a way to become its client. Takes at most 20 s. */
export async function trySp(metadata: ProviderMetadata, deps: TrialDeps) {
  const own = await becomeClient(metadata, deps);
  const { client, registration, made } = own;
  const secrets = secretsOf(own);
  const tried: Tried[] = registration === null ? [] : [registration];
  if (client !== null) {
    tried.push(await tryAuthorization(metadata, client, { ...deps, secrets }));
    tried.push(await tryToken(metadata, client, { ...deps, secret: own.secret, secrets }));
  }
  if (made !== null) tried.push(await remove(metadata, made, deps));
  const steps = tried.map(({ step }) => {
    return { ...step, detail: withoutSecrets(step.detail, secrets) };
  });
  const isRemoved = steps.some(({ name, ok }) => name === "removal" && ok === true);
  const isStored = registration?.step.ok === true && made === null;
  const left = made && (isRemoved ? "removed" : "left");
  const trial: SpTrial = {
    service: deps.issuer,
    client: client && describeClient(client, metadata, deps),
    sent: registration && registrationRequest(metadata, deps.issuer),
    registration: isStored ? "stored" : left,
    steps,
  };
  const problem = tried.find((one) => one.problem !== null)?.problem ?? null;
  return { trial, problem };
}

interface OwnClient {
  readonly client: SpClient | null;
  readonly secret: string | null;
  /** Null if the SP was not asked for one. */
  readonly registration: Tried | null;
  /** A registration for the trial alone, which may be unusable. */
  readonly made: MadeForTrial | null;
}

interface MadeForTrial {
  /** What the SP sent as `client_id`, of any type. */
  readonly id: unknown;
  readonly management: RegistrationManagement | null;
}

async function becomeClient(metadata: ProviderMetadata, deps: TrialDeps): Promise<OwnClient> {
  if (deps.service !== null) return becomeServiceClient(metadata, { ...deps, ...deps.service });
  const way = wayToBecomeClient(metadata);
  if (way === "document" || way === "public_document") {
    const client = documentClient(deps.issuer, metadata.issuer, way);
    return { client, secret: null, registration: null, made: null };
  }
  const all: MadeForTrial[] = [];
  const registration = await tryStep("registration", async (signal) => {
    const answer = await requestRegistration(metadata, deps, signal);
    const { status, body } = answer;
    if (status === 201) all.push({ id: body.client_id, management: managementOf(body) });
    const value = readRegistration(metadata, deps.issuer, answer);
    return { ...registeredAs(value.client), value };
  });
  const { client = null, secret = null } = registration.value ?? {};
  return { client, secret, registration, made: all[0] ?? null };
}

/** As a sign-in does: by the stored client, or by a new registration, which is stored. */
async function becomeServiceClient(
  metadata: ProviderMetadata,
  deps: Omit<Deps, "fetchAgain" | "random">,
): Promise<OwnClient> {
  const { issuer: sp } = metadata;
  const clients = createSpClients(deps);
  const before = await deps.spClients.findSpClients(sp);
  const registration = await tryStep("registration", async (signal) => {
    const value = await clients.clientFor(metadata, signal);
    return { ...registeredAs(value), value };
  });
  const { value: client } = registration;
  if (client === null) return { client, secret: null, registration, made: null };
  const { id, source } = client;
  const isNew = source === "registered" && !before.some(({ clientId }) => clientId === id);
  const secret = await clients.secretOf(sp, client);
  return { client, secret, registration: isNew ? registration : null, made: null };
}

/** A registration must have been answered with 201. */
function registeredAs({ id, method }: SpClient) {
  const detail = `the SP registered client_id ${shownId(id)} with token_endpoint_auth_method ${method}`;
  return { answer: answerOf(201), detail };
}

/** A shorter one is none, and could be a part of any text. */
const MIN_SECRET_LENGTH = 8;

/** In the spellings in which a URL or a form contains them. */
function secretsOf({ secret, made }: OwnClient): string[] {
  const all = [secret, made?.management?.token].filter((one) => typeof one === "string");
  const encoded = all.flatMap((one) => [
    encodeURIComponent(one),
    new URLSearchParams([["", one]]).toString().slice(1),
  ]);
  return [...all, ...encoded].filter(({ length }) => length >= MIN_SECRET_LENGTH);
}

/** What authenticates us in a request, which an SP could send back in an error. */
function credentialsIn({ headers, body }: RequestContent): string[] {
  const [, basic] = headers?.authorization?.split(" ") ?? [];
  const form = body instanceof URLSearchParams ? body : new URLSearchParams();
  return [basic, form.get("client_assertion")].filter((one) => typeof one === "string");
}

interface Withheld {
  readonly secrets: readonly string[];
}

function tryAuthorization(
  metadata: ProviderMetadata,
  client: SpClient,
  { issuer, random, fetch, secrets }: TrialDeps & Withheld,
) {
  const redirectUri = callbackUri(issuer, metadata.issuer);
  const newValue = () => randomText(random, 32);
  const [state, nonce, verifier] = [newValue(), newValue(), newValue()];
  const url = authorizationUrl(metadata.authorization_endpoint, {
    ...{ clientId: client.id, redirectUri, domain: LOGIN_HINT },
    ...{ secrets: { state, nonce, verifier }, prompt: new Set<string>() },
    ...{ maxAge: undefined, locales: null, statement: null, ownerProof: "none" },
  });
  return tryStep("authorization", async (signal) => {
    const init = { signal, asBrowser: true, headers: { accept: ACCEPT } };
    const asked = { url, redirectUri, state, metadata, secrets };
    return judgeAuthorization(await fetch(url, init), asked);
  });
}

async function tryToken(
  metadata: ProviderMetadata,
  client: SpClient,
  { service, secret, secrets, ...deps }: TrialDeps & Withheld & { readonly secret: string | null },
): Promise<Tried> {
  if (service === null && client.method === "private_key_jwt") {
    const detail = "only the service has the key for private_key_jwt: set --database to try this";
    return { step: stepOf("token", null, { answer: null, detail }), problem: null };
  }
  const sent: string[] = [];
  const fetch: GuardedFetch = (url, init = {}) => {
    sent.push(...credentialsIn(init));
    return deps.fetch(url, init);
  };
  return tryStep("token", async (signal) => {
    const context = { ...deps, fetch, keyring: service?.keyring ?? NO_KEYS, signal };
    const response = await sendMadeUpCode(metadata, client, secret, context);
    return judgeMadeUpCode(response.status, await jsonOf(response), [...sent, ...secrets]);
  });
}

const NO_KEYS = {
  signingKeyAt(): never {
    throw new Error("there is no key without the database of the service");
  },
};

/** Removes the registration (RFC 7592 §2.3). Sign-ins do not need this. */
async function remove(
  metadata: ProviderMetadata,
  { id, management }: MadeForTrial,
  { fetch }: TrialDeps,
): Promise<Tried> {
  const name = typeof id === "string" ? shownId(id) : "without a client_id";
  const manual = `delete the client ${name} at the SP by hand`;
  if (management === null) {
    const detail = `the SP offers no removal (RFC 7592): ${manual}`;
    return { step: stepOf("removal", null, { answer: null, detail }), problem: null };
  }
  const { uri, token } = management;
  const { step } = await tryStep("removal", async (signal) => {
    const isOwn = URL.canParse(uri) && new URL(uri).origin === new URL(metadata.issuer).origin;
    if (!isOwn) {
      throw new SpFailure("bad_answer", "registration_client_uri is not on the origin of the SP");
    }
    const headers = { authorization: `Bearer ${token}` };
    const { status, ok } = await fetch(uri, {
      method: "DELETE",
      headers,
      signal,
      statusOnly: true,
    });
    const answer = answerOf(status);
    if (!ok) throw new SpFailure("bad_answer", `the removal got status ${status}`, answer);
    return { answer, detail: "the SP removed the registration of this trial" };
  });
  const detail = step.ok ? step.detail : `${step.detail}: ${manual}`;
  return { step: { ...step, detail }, problem: null };
}

interface Outcome {
  readonly answer: SpAnswer | null;
  readonly detail: string;
}

/** `value` is that of the task; null if it failed, or has none. */
async function tryStep<T = null>(
  name: TrialStepName,
  task: (signal: AbortSignal) => Promise<Outcome & { readonly value?: T }>,
): Promise<Tried & { readonly value: T | null }> {
  try {
    const { value = null, ...outcome } = await task(AbortSignal.timeout(STEP_TIMEOUT_MS));
    return { step: stepOf(name, true, outcome), problem: null, value };
  } catch (error) {
    const { kind, answer, message: detail } = trialFailureOf(error);
    const code = error instanceof GuardedFetchError ? error.code : null;
    const description = answer?.error_description ?? null;
    const said = description === null ? detail : `${detail} (${description})`;
    const advice = adviceFor(name, { answer, code });
    const problem = { kind, detail: `${REQUESTS[name]}: ${said}`, advice };
    return { step: stepOf(name, false, { answer, detail }), problem, value: null };
  }
}

function trialFailureOf(error: unknown): SpFailure {
  if (error instanceof UnknownClientError) return new SpFailure("no_client", error.message);
  const failure = failureOf(error);
  const { answer, message } = failure;
  const mayPass = answer !== null && isUnavailable(answer);
  return mayPass ? new SpFailure("unreachable", message, answer) : failure;
}

const REQUESTS: Record<TrialStepName, string> = {
  registration: "registration",
  authorization: "authorization request",
  token: "token request with a made-up code",
  removal: "removal of the registration",
};

function stepOf(name: TrialStepName, ok: boolean | null, { answer, detail }: Outcome): TrialStep {
  const { status, error, error_description } = answer ?? NO_ANSWER;
  return { name, ok, status, error, error_description, detail };
}

const NO_ANSWER = { status: null, error: null, error_description: null };

function describeClient(client: SpClient, metadata: ProviderMetadata, { issuer }: TrialDeps) {
  const { id, source, method, alg } = client;
  return {
    client_id: id,
    source,
    redirect_uri: callbackUri(issuer, metadata.issuer),
    token_endpoint_auth_method: method,
    ...(alg !== undefined && { id_token_signed_response_alg: alg }),
  };
}

function shownId(id: string): string {
  return id.length > 100 ? `${id.slice(0, 100)}…` : id;
}

// Tries a sign-in at an external SP as far as it goes without a person, and reports what the SP answered.

import type { ProviderMetadata } from "../federation/provider.ts";
import { authorizationUrl, callbackUri, type SpClient } from "../federation/sp-authorization.ts";
import {
  createSpClients,
  documentClient,
  managementOf,
  type RegistrationManagement,
  readRegistration,
  registrationRequest,
  requestRegistration,
  wayToBecomeClient,
} from "../federation/sp-client.ts";
import {
  answerOf,
  failureOf,
  isUnavailable,
  type SpAnswer,
  SpFailure,
  type SpProblemKind,
  UnknownClientError,
  withoutSecrets,
} from "../federation/sp-problem.ts";
import { createTokenEndpoint, jsonOf, type SpRequester } from "../federation/token-endpoint.ts";
import type { Seal } from "../keys/seal.ts";
import { randomText, systemRandom } from "../lib/random.ts";
import { type GuardedFetch, GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import type { RequestContent } from "../outgoing/request.ts";
import type { SpClientStore } from "../store/sp-clients.ts";
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
  readonly client: ReturnType<typeof describeClient> | null;
  /** The client metadata that was sent for registration, or null. */
  readonly sent: ReturnType<typeof registrationRequest> | null;
  /** What became of a registration that was made: kept for sign-ins, removed, or still at the SP. */
  readonly registration: "stored" | "removed" | "left" | null;
  readonly steps: readonly TrialStep[];
}

export interface TrialProblem {
  readonly kind: SpProblemKind;
  readonly detail: string;
  /** What to change at the SP, if the SP was tried. */
  readonly advice?: string;
}

/** The service that an SP is tried for. */
export interface TrialService {
  readonly issuer: string;
  /** The registrations and keys that sign-ins use. Without them (null), a registration is made for the trial only. */
  readonly database: {
    readonly spClients: SpClientStore;
    readonly seal: Seal;
    readonly assertionKey: SpRequester["assertionKey"];
  } | null;
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

interface OwnClient {
  readonly client: SpClient | null;
  readonly secret: string | null;
  /** Null if the SP was not asked for one. */
  readonly registration: Tried | null;
  /** A registration for the trial alone, which may be unusable. `id` is what the SP sent as `client_id`. */
  readonly made: {
    readonly id: unknown;
    readonly management: RegistrationManagement | null;
  } | null;
}

/** The SP must meet the requirements, and there must be a way to become its client. Takes at most 20 s. */
export async function trySp(
  metadata: ProviderMetadata,
  { issuer, database }: TrialService,
  connection: Omit<SpRequester, "issuer" | "assertionKey">,
) {
  const { issuer: sp } = metadata;
  const { fetch } = connection;
  const assertionKey = () => {
    if (database !== null) return database.assertionKey();
    throw new Error("there is no key without the database of the service");
  };
  const requester = { ...connection, issuer, assertionKey };
  const own = await (database === null ? becomeTrialClient() : becomeServiceClient(database));
  const { client, registration, made } = own;
  const secrets = secretsOf(own);
  const tried: Tried[] = registration === null ? [] : [registration];
  if (client !== null) {
    tried.push(await tryAuthorization(client));
    tried.push(await tryToken(client));
  }
  if (made !== null) tried.push(await remove(made));
  const steps = tried.map(({ step }) => {
    return { ...step, detail: withoutSecrets(step.detail, secrets) };
  });
  const isRemoved = steps.some(({ name, ok }) => name === "removal" && ok === true);
  const isStored = registration?.step.ok === true && made === null;
  const trial: SpTrial = {
    service: issuer,
    client: client && describeClient(client, callbackUri(issuer, sp)),
    sent: registration && registrationRequest(metadata, issuer),
    registration: isStored ? "stored" : made && (isRemoved ? "removed" : "left"),
    steps,
  };
  const problem = tried.find((one) => one.problem !== null)?.problem ?? null;
  return { trial, problem };

  async function becomeTrialClient(): Promise<OwnClient> {
    const way = wayToBecomeClient(metadata);
    if (way === "document" || way === "public_document") {
      const client = documentClient(issuer, sp, way);
      return { client, secret: null, registration: null, made: null };
    }
    let made: OwnClient["made"] = null;
    const registration = await tryStep("registration", async (signal) => {
      const answer = await requestRegistration(metadata, requester, { signal });
      const { status, body } = answer;
      if (status === 201) made = { id: body.client_id, management: managementOf(body) };
      const value = readRegistration(metadata, issuer, answer);
      return { ...registeredAs(value.client), value };
    });
    const { client = null, secret = null } = registration.value ?? {};
    return { client, secret, registration, made };
  }

  /** As a sign-in does: by the stored client, or by a new registration, which is stored. */
  async function becomeServiceClient(
    service: NonNullable<TrialService["database"]>,
  ): Promise<OwnClient> {
    const clients = createSpClients({ ...requester, ...service });
    const before = await service.spClients.findSpClients(sp);
    const registration = await tryStep("registration", async (signal) => {
      const value = await clients.clientFor(metadata, { signal });
      return { ...registeredAs(value), value };
    });
    const { value: client } = registration;
    if (client === null) return { client, secret: null, registration, made: null };
    const { id, source } = client;
    const isNew = source === "registered" && !before.some(({ clientId }) => clientId === id);
    const secret = await clients.secretOf(sp, client);
    return { client, secret, registration: isNew ? registration : null, made: null };
  }

  function tryAuthorization(client: SpClient): Promise<Tried> {
    const redirectUri = callbackUri(issuer, sp);
    const newValue = () => randomText(systemRandom, 32);
    const requestSecrets = { state: newValue(), nonce: newValue(), verifier: newValue() };
    const url = authorizationUrl(metadata.authorization_endpoint, {
      clientId: client.id,
      redirectUri,
      domain: LOGIN_HINT,
      secrets: requestSecrets,
      prompt: new Set(),
    });
    return tryStep("authorization", async (signal) => {
      const response = await fetch(url, { signal, asBrowser: true, headers: { accept: ACCEPT } });
      const { state } = requestSecrets;
      return judgeAuthorization(response, { url, redirectUri, state, metadata, secrets });
    });
  }

  async function tryToken(client: SpClient): Promise<Tried> {
    if (database === null && client.method === "private_key_jwt") {
      const detail = "only the service has the key for private_key_jwt: set --database to try this";
      return skipped("token", detail);
    }
    const sent: string[] = [];
    const recorded: GuardedFetch = (url, init = {}) => {
      sent.push(...credentialsIn(init));
      return fetch(url, init);
    };
    const tokenEndpoint = createTokenEndpoint({ ...requester, fetch: recorded });
    return tryStep("token", async (signal) => {
      const response = await tokenEndpoint.sendMadeUpCode(metadata, client, own.secret, { signal });
      return judgeMadeUpCode(response.status, await jsonOf(response), [...sent, ...secrets]);
    });
  }

  /** Removes a registration (RFC 7592 §2.3), which sign-ins do not need to do. */
  async function remove({ id, management }: NonNullable<OwnClient["made"]>): Promise<Tried> {
    const name = typeof id === "string" ? shownId(id) : "without a client_id";
    const manual = `delete the client ${name} at the SP by hand`;
    if (management === null) {
      return skipped("removal", `the SP offers no removal (RFC 7592): ${manual}`);
    }
    const { uri, token } = management;
    const { step } = await tryStep("removal", async (signal) => {
      const isOwn = URL.canParse(uri) && new URL(uri).origin === new URL(metadata.issuer).origin;
      if (!isOwn) {
        throw new SpFailure("bad_answer", "registration_client_uri is not on the origin of the SP");
      }
      const headers = { authorization: `Bearer ${token}` };
      const init = { method: "DELETE", headers, signal, statusOnly: true } as const;
      const { status, ok } = await fetch(uri, init);
      const answer = answerOf(status);
      if (!ok) throw new SpFailure("bad_answer", `the removal got status ${status}`, answer);
      return { answer, detail: "the SP removed the registration of this trial" };
    });
    const detail = step.ok ? step.detail : `${step.detail}: ${manual}`;
    return { step: { ...step, detail }, problem: null };
  }
}

/** A registration must have been answered with 201. */
function registeredAs({ id, method }: SpClient) {
  const detail = `the SP registered client_id ${shownId(id)} with token_endpoint_auth_method ${method}`;
  return { answer: answerOf(201), detail };
}

/** A shorter text is no secret, and could be part of any answer. */
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

function skipped(name: TrialStepName, detail: string): Tried {
  return { step: { name, ok: null, ...NO_ANSWER, detail }, problem: null };
}

const NO_ANSWER = { status: null, error: null, error_description: null };

interface StepResult<T> {
  readonly answer: SpAnswer;
  readonly detail: string;
  readonly value?: T;
}

/** `value` is that of the task; null if it failed, or has none. */
async function tryStep<T = null>(
  name: TrialStepName,
  task: (signal: AbortSignal) => Promise<StepResult<T>>,
): Promise<Tried & { readonly value: T | null }> {
  try {
    const { answer, detail, value = null } = await task(AbortSignal.timeout(STEP_TIMEOUT_MS));
    return { step: { name, ok: true, ...answer, detail }, problem: null, value };
  } catch (error) {
    const { kind, answer, message: detail } = trialFailureOf(error);
    const code = error instanceof GuardedFetchError ? error.code : null;
    const description = answer?.error_description ?? null;
    const reason = description === null ? detail : `${detail} (${description})`;
    const advice = adviceFor(name, { answer, code });
    const problem = { kind, detail: `${REQUESTS[name]}: ${reason}`, advice };
    const step = { name, ok: false, ...(answer ?? NO_ANSWER), detail };
    return { step, problem, value: null };
  }
}

function trialFailureOf(error: unknown): SpFailure {
  if (error instanceof UnknownClientError) return new SpFailure("no_client", error.message);
  const failure = failureOf(error);
  const { answer, message } = failure;
  const mayPass = answer !== null && isUnavailable(answer.status);
  return mayPass ? new SpFailure("unreachable", message, answer) : failure;
}

const REQUESTS: Record<TrialStepName, string> = {
  registration: "registration",
  authorization: "authorization request",
  token: "token request with a made-up code",
  removal: "removal of the registration",
};

function describeClient({ id, source, method, alg }: SpClient, redirectUri: string) {
  return {
    client_id: id,
    source,
    redirect_uri: redirectUri,
    token_endpoint_auth_method: method,
    ...(alg !== undefined && { id_token_signed_response_alg: alg }),
  };
}

function shownId(id: string): string {
  return id.length > 100 ? `${id.slice(0, 100)}…` : id;
}

// Dynamic client registration (RFC 7591), and the management of a registration by its client (RFC 7592).

import { RegistrationError } from "../clients/client-errors.ts";
import type { RegistrationMode, RegistrationPkce } from "../clients/registration-mode.ts";
import { FormError, readJson } from "../http/form.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { json } from "../http/responses.ts";
import type { StoredRoom } from "../http/stored-room.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, sha256 } from "../lib/random.ts";
import type { ClientRow, ClientStore } from "../store/clients.ts";
import type { Events } from "../telemetry/events.ts";
import { readBearer } from "./bearer.ts";
import { isSecretOf } from "./client-authentication.ts";
import { BearerError } from "./protocol-errors.ts";

/** The id of a client with a row. */
const CLIENT_ID = /^[A-Za-z0-9_-]{1,100}$/;

/** Loaded on demand, with zod. */
const dynamicClients = () => import("../clients/dynamic-client.ts");

interface Deps {
  readonly issuer: string;
  readonly registration: RegistrationMode;
  readonly registrationPkce: RegistrationPkce;
  /** Required for a registration in the mode "token". */
  readonly registrationToken: string | null;
  readonly unusedClients: StoredRoom;
  readonly registrations: ClientStore;
  /** False if there is no such client. */
  readonly removeClient: (id: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

export function createRegistration(deps: Deps) {
  const { issuer, registrations, unusedClients, events } = deps;
  return { registerClient, readRegistered, replaceRegistered, removeRegistered };

  /** POST /oauth/register */
  async function registerClient(http: HttpRequest): Promise<HttpResponse> {
    if (deps.registration === "off") {
      const description =
        "clients cannot register themselves here: publish a client metadata document, or ask the operator";
      return json(404, { error: "not_found", error_description: description });
    }
    if (deps.registration === "token") requireInitialToken(http);
    const { makeDynamicClient, informationOf } = await dynamicClients();
    const { row, ...credentials } = makeDynamicClient(await readMembers(http), deps);
    const networks = unusedClients.networksFor(http.clientAddress);
    unusedClients.enter({ id: row.id, causedBy: networks, octets: 1 });
    await registrations.addClient(row, networks);
    events.clientRegistered({ clientId: row.id, change: "registered" });
    return json(201, informationOf(row, credentials, issuer));
  }

  /** GET /oauth/register/:id */
  async function readRegistered(http: HttpRequest): Promise<HttpResponse> {
    const { row, accessToken } = await managed(http);
    const { informationOf } = await dynamicClients();
    return json(200, informationOf(row, { accessToken, secret: null }, issuer));
  }

  /** PUT /oauth/register/:id replaces all metadata (RFC 7592 §2.2). */
  async function replaceRegistered(http: HttpRequest): Promise<HttpResponse> {
    const { row, accessToken } = await managed(http);
    const { readMetadata, requireSameHosts, informationOf } = await dynamicClients();
    const body = await readMembers(http);
    requireSame(body, row);
    const wanted = readMetadata(body, deps.registrationPkce);
    requireSameHosts(row.registration, wanted);
    if ((wanted.type === "public") !== (row.secretHash === null)) {
      const problem = "a client cannot get or lose a secret; register again";
      throw refuse(`token_endpoint_auth_method: ${problem}`);
    }
    const registration = JSON.stringify(wanted);
    if (!(await registrations.updateClient(row.id, { from: row.registration, to: registration }))) {
      throw refuse("the registration was changed by another request: read it and try again");
    }
    events.clientRegistered({ clientId: row.id, change: "replaced" });
    const credentials = { accessToken, secret: null };
    return json(200, informationOf({ ...row, registration }, credentials, issuer));
  }

  /** DELETE /oauth/register/:id also revokes the grants of the client. */
  async function removeRegistered(http: HttpRequest): Promise<HttpResponse> {
    const { row } = await managed(http);
    // Finding the grants of a client reads all grants, so it takes a sign-in to cause this.
    const isGone = await registrations.removeUnusedClient(row.id);
    if (!isGone && !(await deps.removeClient(row.id))) throw unknownToken();
    events.clientRegistered({ clientId: row.id, change: "removed" });
    return { status: 204, headers: { "cache-control": "no-store" }, body: "" };
  }

  /** The client that the token manages. A refusal does not tell whether there is such a client. */
  async function managed(http: HttpRequest): Promise<{ row: ClientRow; accessToken: string }> {
    const accessToken = readBearer(http.header("authorization"));
    const { id = "" } = http.params;
    const row = CLIENT_ID.test(id) ? await registrations.findClient(id) : null;
    if (!row?.accessTokenHash || !isSecretOf(row.accessTokenHash, accessToken))
      throw unknownToken();
    return { row, accessToken };
  }

  function requireInitialToken(http: HttpRequest): void {
    const token = deps.registrationToken;
    const sent = readBearer(http.header("authorization"));
    if (token === null || !isSecretOf(sha256(token), sent)) throw unknownToken();
  }
}

function unknownToken(): BearerError {
  const description = "the access token is not one for this registration";
  const error = new BearerError(401, "invalid_token", description);
  error.isGuess = true;
  return error;
}

async function readMembers(http: HttpRequest): Promise<unknown> {
  return readJson(http).catch((error) => {
    throw error instanceof FormError ? refuse(error.message) : error;
  });
}

/** The client names itself, and may repeat its secret (RFC 7592 §2.2). */
function requireSame(body: unknown, { id, secretHash }: ClientRow): void {
  const sent = typeof body === "object" && body !== null ? body : {};
  const { client_id, client_secret } = sent as Readonly<Record<string, unknown>>;
  if (client_id !== id) throw refuse("client_id: must be that of the registration");
  if (client_secret === undefined) return;
  const isSecret = typeof client_secret === "string" && secretHash !== null;
  if (!isSecret || !isSecretOf(secretHash, client_secret)) {
    throw refuse("client_secret: must be that of the client, or absent");
  }
}

function refuse(problem: string): RegistrationError {
  return new RegistrationError("invalid_client_metadata", problem);
}

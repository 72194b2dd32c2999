// The redirect back from an external SP: checks the response, the account and the record, in this order.

import type { SpRecords } from "../dns/sp-record.ts";
import { failureOf, namesAccount } from "../dns/sp-record.ts";
import {
  type ExternalState,
  interactionOf,
  isSameState,
  type RequestSecrets,
  readExternalState,
  requestSecrets,
  type SentRequest,
  spKey,
} from "../federation/authorization-request.ts";
import type { Federation } from "../federation/federation.ts";
import { type SpProblemKind, shownError } from "../federation/sp-problem.ts";
import type { Cookies } from "../http/cookies.ts";
import { FormError, parseParameters } from "../http/form.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { newErrorId } from "../http/pipeline.ts";
import { seeOther } from "../http/responses.ts";
import {
  advance,
  type InteractionContext,
  type OpenInteraction,
  stepPath,
} from "../interaction/interaction.ts";
import { PageError } from "../interaction/pending-request.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText } from "../lib/random.ts";
import type { Aggregates, Store } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";
import { authenticated } from "./authenticated.ts";
import { dnsFailed } from "./dns-failed.ts";
import { showRecordChanged, showSpProblem } from "./external.ts";

/** The interaction of an authorization response, from its `state`. */
export function interactionOfAnswer({ query }: HttpRequest): string {
  const id = interactionOf(readAnswer(query).get("state") ?? "");
  if (id === null) throw new PageError(400, "malformedRequest");
  return id;
}

interface Deps extends Aggregates {
  readonly issuer: string;
  readonly store: Store;
  readonly spRecords: SpRecords;
  readonly federation: Federation;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

export function createExternalCallback(deps: Deps) {
  return {
    externalCallback: (context: InteractionContext) => externalCallback(context, deps),
  };
}

/** GET /federation/callback/:h */
async function externalCallback(open: InteractionContext, deps: Deps): Promise<HttpResponse> {
  const { http } = open;
  const values = readAnswer(http.query);
  const pending = pendingSpRequest(open, values.get("state") ?? "", deps);
  const refuse = (kind: SpProblemKind, detail: string) =>
    showSpProblem(open, { kind, sp: pending.state.sp, detail }, deps);
  const mixUp = mixUpProblem(values, http.params.h, pending.state);
  if (mixUp !== null) return refuse("bad_answer", mixUp);
  if (pending.state.taken) return refuse("bad_answer", ALREADY_USED);
  await deps.federation.count(http.clientAddress);
  const taken = await changeState(open, { ...pending.state, taken: true }, deps);
  if (taken === null) return alreadyTaken(open, refuse, deps);

  const error = values.get("error");
  if (error !== undefined) {
    return refuse("refused_by_sp", `the SP returned an error: ${shownError(error)}`);
  }
  if (!values.has("code")) {
    return refuse("bad_answer", "the authorization response has neither code nor error");
  }
  return redeem(taken, { ...pending, values }, deps);
}

const ALREADY_USED = "the authorization response was already used";

interface PendingSpRequest {
  readonly state: ExternalState & { readonly asked: SentRequest };
  readonly secrets: RequestSecrets;
}

function readAnswer(query: string): ReadonlyMap<string, string> {
  try {
    const { values, repeated } = parseParameters(query);
    if (repeated.length === 0) return values;
  } catch (error) {
    if (!(error instanceof FormError)) throw error;
  }
  throw new PageError(400, "malformedRequest");
}

/** The request that the response belongs to. Only the `state` of the latest request is accepted. */
function pendingSpRequest(
  { http, interaction, request }: InteractionContext,
  sent: string,
  { cookies }: Deps,
): PendingSpRequest {
  const state = readExternalState(interaction.external);
  const browser = cookies.read(http, "browser");
  if (state?.asked === undefined || browser === undefined) {
    throw new PageError(400, "expired", request);
  }
  const { asked, salt } = state;
  const secrets = requestSecrets(browser, { interactionId: interaction.id, salt });
  if (!isSameState(sent, secrets.state)) throw new PageError(400, "expired", request);
  return { state: { ...state, asked }, secrets };
}

/** Checks which SP sent the response, before anything in it is used (RFC 9207 §2.4, RFC 9700 §4.4). */
function mixUpProblem(
  values: ReadonlyMap<string, string>,
  key: string | undefined,
  { sp, asked }: PendingSpRequest["state"],
): string | null {
  if (key !== spKey(sp)) return "the response was sent to the redirect URI of another SP";
  const iss = values.get("iss");
  if (iss === undefined) return asked.iss ? "the authorization response has no iss" : null;
  return iss === sp ? null : "the authorization response has the iss of another SP";
}

async function changeState(
  { http, interaction, request }: InteractionContext,
  to: ExternalState,
  { store, clock }: Deps,
): Promise<InteractionContext | null> {
  const change = { from: interaction.external, to: JSON.stringify(to) };
  const changed = await store.changeExternal(interaction.id, change, clock.seconds());
  return changed && { http, interaction: changed, request };
}

/** A double click, or a reload while the first request was processed. */
async function alreadyTaken(
  { interaction, request }: OpenInteraction,
  refuse: (kind: SpProblemKind, detail: string) => Promise<HttpResponse>,
  deps: Deps,
): Promise<HttpResponse> {
  const current = await deps.store.readInteraction(interaction.id);
  return current === null || current.accountId === null
    ? refuse("bad_answer", ALREADY_USED)
    : advance({ interaction: current, request }, deps);
}

async function redeem(
  open: InteractionContext,
  { state, secrets, values }: PendingSpRequest & { values: ReadonlyMap<string, string> },
  deps: Deps,
): Promise<HttpResponse> {
  const { interaction, request } = open;
  const { domain, acct } = interaction;
  const { sp } = state;
  if (acct === null) throw new Error("the interaction of an external sign-in has no acct");
  const { maxAge, prompt } = request;
  const forceLogin = prompt.has("login");
  const known = await deps.store.findAccount(domain, { sp, acct });
  const answer = new URLSearchParams([...values]);
  // Both in parallel, so that the user waits only once.
  const [redeemed, look] = await Promise.all([
    deps.federation.redeem(
      state,
      { answer, secrets, maxAge, forceLogin, domain, acct },
      known?.id ?? null,
    ),
    deps.spRecords.lookToDecide(domain, "now"),
  ]);
  if (redeemed.outcome === "problem") {
    return showSpProblem(open, redeemed.problem, deps);
  }
  if (redeemed.outcome === "renewed") {
    const fresh = { v: 1, sp, salt: randomText(deps.random, 16) } as const;
    await changeState(open, fresh, deps);
    return seeOther(stepPath(interaction.id, "external"));
  }
  const { claims } = redeemed;
  const failure = failureOf(look);
  if (failure !== null) return dnsFailed(open, { domain, failure });
  if (!namesAccount(look, { sp, acct })) return showRecordChanged(open, sp, deps);

  const { store, clock, random, events } = deps;
  const now = clock.seconds();
  const id = `sub_${randomText(random, 16)}`;
  const account = await store.adoptAccount({ id, domain, sp, acct, now });
  // The record changed between the two queries.
  if (account === "conflict") throw new PageError(503, "temporarilyUnavailable", request);
  if (account.id === id) events.enrolled({ accountId: id, domain, assurance: look.assurance });
  const proof = await deps.federation.ownerProof(claims.owner_proof, {
    domain,
    sp,
    acct,
    jkt: look.jkt,
    now,
    wanted: state.asked.domain_aware ? request.statementWanted : null,
  });
  if (proof.outcome === "dropped") {
    const detail = `the owner_proof was dropped: ${proof.reason}`;
    events.spFailed({ sp, kind: "bad_answer", detail, errorId: newErrorId(random) });
  }
  return authenticated(
    open,
    {
      account,
      amr: "external",
      cookies: [],
      authTime: authTimeOf(claims, now),
      controlCheckedAt: look.checkedAt,
      ownerProof: proof.outcome === "proof" ? JSON.stringify(proof.part) : null,
    },
    deps,
  );
}

/** Whole seconds, never in the future. A NumericDate may have a fraction (RFC 7519 §2). */
function authTimeOf({ auth_time, iat }: { auth_time?: number; iat: number }, now: number): number {
  return Math.floor(Math.max(0, Math.min(auth_time ?? iat, now)));
}

// The sign-in at the external SP that the record names: the redirect there, and the redirect back.

import { failureOf, namesAccount, type SpRecords } from "../dns/sp-record.ts";
import type { Federation } from "../federation/federation.ts";
import {
  authorizationUrl,
  callbackUri,
  type ExternalState,
  interactionOf,
  isSameState,
  readExternalState,
  requestSecrets,
  type SentRequest,
  spKey,
} from "../federation/sp-authorization.ts";
import { type SpProblemKind, shownError } from "../federation/sp-problem.ts";
import type { Cookies } from "../http/cookies.ts";
import { FormError, parseParameters } from "../http/form.ts";
import type { HttpRequest, HttpResponse } from "../http/message.ts";
import { newErrorId } from "../http/pipeline.ts";
import { isLongBegun, requesterAt } from "../http/requester.ts";
import { page, seeOther } from "../http/responses.ts";
import type { Flow } from "../interaction/flow.ts";
import {
  type InteractionContext,
  ownBrowser,
  type StepContext,
  stepPath,
} from "../interaction/interaction.ts";
import { dnsFailed, PageError, pagesFor } from "../interaction/pending-request.ts";
import { externalChanged } from "../interaction/progress.ts";
import type { InteractionSource } from "../interaction/requirements.ts";
import type { Clock } from "../lib/clock.ts";
import { type Random, randomText } from "../lib/random.ts";
import { externalPage } from "../pages/external.ts";
import type { AccountStore } from "../store/accounts.ts";
import type { Interaction } from "../store/interaction-row.ts";
import type { Events } from "../telemetry/events.ts";

export interface Deps {
  readonly issuer: string;
  readonly flow: Flow;
  readonly accounts: AccountStore;
  readonly spRecords: SpRecords;
  readonly federation: Federation;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

type ExternalStep = StepContext<"external">;

interface ShownProblem {
  readonly kind: SpProblemKind | "record_changed";
  readonly sp: string;
  readonly detail: string;
}

const ALREADY_USED = "the authorization response was already used";

export function createExternal(deps: Deps) {
  const { issuer, flow, federation, cookies, clock, random, events } = deps;
  return { showExternal, externalCallback };

  /** GET /interaction/:id/external: redirects to the SP, or shows why that is not possible. */
  async function showExternal(open: ExternalStep): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const state = readExternalState(interaction.progress.state);
    const browser = cookies.read(http, "browser");
    if (state === null || browser === undefined) throw new PageError(400, "expired", request);
    const prepared = await federation.prepare(state.sp, requesterAt(http.clientAddress));
    if (prepared.outcome === "problem") return showProblem(open, prepared.problem);
    const { asked, authorizationEndpoint } = prepared;
    const { id: interactionId, domain } = interaction;
    const next = nextState(state, asked);
    if (next !== state) {
      const { isChanged } = await flow.change(interaction, stateChange(open, next));
      // Another tab was faster: continues with its state.
      if (!isChanged) return seeOther(stepPath(interactionId, "external"));
    }
    const { query, prompt, maxAge, statementWanted, ownerProof } = request;
    return seeOther(
      authorizationUrl(authorizationEndpoint, {
        clientId: asked.client.id,
        redirectUri: callbackUri(issuer, next.sp),
        domain,
        secrets: requestSecrets(browser, { interactionId, salt: next.salt }),
        prompt,
        maxAge,
        locales: new URLSearchParams(query).get("ui_locales"),
        statement: asked.domain_aware ? statementWanted : null,
        ownerProof,
      }),
    );
  }

  /** GET /federation/callback/:h: checks the response, the account and the record, in this order. */
  async function externalCallback(open: ExternalStep): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const answer = acceptAnswer(http, interaction, cookies);
    const { state, values } = answer;
    const refuse = (kind: SpProblemKind, detail: string) =>
      showProblem(open, { kind, sp: state.sp, detail });
    const mixUp = mixUpProblem(answer, http.params.h);
    if (mixUp !== null) return refuse("bad_answer", mixUp);
    if (state.taken) return refuse("bad_answer", ALREADY_USED);
    const taken = await flow.change(interaction, stateChange(open, { ...state, taken: true }));
    const { progress } = taken.interaction;
    if (!taken.isChanged || progress.step !== "external") {
      // A double click, or a reload while the first request was processed.
      return progress.step === "authenticated"
        ? flow.next({ ...taken, http, request })
        : refuse("bad_answer", ALREADY_USED);
    }
    const error = values.get("error");
    if (error !== undefined) {
      return refuse("refused_by_sp", `the SP returned an error: ${shownError(error)}`);
    }
    if (!values.has("code")) {
      return refuse("bad_answer", "the authorization response has neither code nor error");
    }
    return redeem({ ...open, interaction: { ...taken.interaction, progress } }, answer);
  }

  /** A reload repeats the pending request. After a response or new metadata, its secrets change. */
  function nextState(state: ExternalState, asked: SentRequest): ExternalState {
    const timeless = (request: SentRequest) => JSON.stringify({ ...request, at: 0 });
    const isPending = state.asked !== undefined && state.taken === undefined;
    if (isPending && timeless(state.asked) === timeless(asked)) return state;
    const salt = state.asked === undefined ? state.salt : randomText(random, 16);
    return { v: 1, sp: state.sp, salt, asked };
  }

  /** Redeems the code, while the record is looked up. If both name the account, signs it in. */
  async function redeem(open: ExternalStep, response: SpResponse): Promise<HttpResponse> {
    const { state, secrets, values } = response;
    const { http, interaction, request } = open;
    const { domain, progress, createdAt: startedAt } = interaction;
    const { acct } = progress;
    const { sp, asked } = state;
    const { maxAge, prompt } = request;
    const isReserved = isLongBegun([{ domain, startedAt }], domain, clock.seconds());
    const from = requesterAt(http.clientAddress, isReserved);
    const answer = new URLSearchParams([...values]);
    const code = { answer, secrets, maxAge, forceLogin: prompt.has("login"), domain, acct };
    const [redeemed, look] = await Promise.all([
      federation.redeem(state, code, from),
      deps.spRecords.lookToDecide(domain, { freshness: "now", from }),
    ]);
    if (redeemed.outcome === "problem") return showProblem(open, redeemed.problem);
    if (redeemed.outcome === "renewed") {
      const renewed = stateChange(open, { v: 1, sp, salt: randomText(random, 16) });
      await flow.change(interaction, renewed);
      return seeOther(stepPath(interaction.id, "external"));
    }
    const failure = failureOf(look);
    if (failure !== null) return dnsFailed(open, { domain, failure });
    if (!namesAccount(look, { sp, acct })) {
      const detail = "the record no longer names this SP and this account";
      return showProblem(open, { kind: "record_changed", sp, detail });
    }
    const { claims } = redeemed;
    const { spk, jkt, assurance, checkedAt: controlCheckedAt } = look;
    const now = clock.seconds();
    const id = `sub_${randomText(random, 16)}`;
    const named = { id, domain, sp, acct, now: controlCheckedAt };
    const account = await deps.accounts.adoptAccount(named);
    if (account === "full") throw new PageError(403, "tooManyAccounts", request);
    if (account === "conflict") throw new PageError(503, "temporarilyUnavailable", request);
    if (account.id === id) events.enrolled({ accountId: id, domain, assurance });
    const wanted = asked.domain_aware ? request.statementWanted : null;
    const context = { domain, sp, acct, spk, jkt, now, wanted };
    const { provider_proof, owner_proof } = claims;
    const checked = await federation.checkProofs({ provider_proof, owner_proof }, context, issuer);
    for (const dropped of checked.dropped) {
      const detail = `a proof was dropped: ${dropped}`;
      events.spFailed({ sp, kind: "bad_answer", detail, errorId: newErrorId(random) });
    }
    const proofs = JSON.stringify(checked.proofs);
    const authTime = authTimeOf(claims, now);
    const proof = { account, amr: "external", authTime, controlCheckedAt, proofs };
    return flow.authenticate(open, proof);
  }

  function showProblem(
    { http, interaction, request }: InteractionContext,
    { kind, sp, detail }: ShownProblem,
  ): Promise<HttpResponse> {
    const errorId = newErrorId(random);
    events.spFailed({ sp, kind, detail, errorId });
    // If the record changed while the user was at the SP, only a new sign-in helps.
    const isChanged = kind === "record_changed";
    const { query } = request;
    return page(
      kind === "unreachable" || kind === "busy" ? 503 : 422,
      externalPage(pagesFor(http, request), {
        domain: interaction.domain,
        spHost: new URL(sp).host,
        problem: kind,
        detail: isChanged ? undefined : detail,
        errorId,
        again: isChanged ? `/oauth/authorize?${query}` : stepPath(interaction.id, "external"),
        otherAction: `/sign-in/other?${query}`,
      }),
    );
  }
}

function stateChange({ interaction }: ExternalStep, to: ExternalState) {
  return externalChanged(interaction.progress.state, JSON.stringify(to));
}

/** The interaction of an authorization response, from its `state`. */
export function answerOfRequest(cookies: Cookies): InteractionSource {
  return {
    idOf({ query }) {
      const id = interactionOf(readAnswer(query).get("state"));
      if (id === null) throw new PageError(400, "malformedRequest");
      return id;
    },
    verify(http, interaction) {
      if (interaction === null) throw new PageError(400, "expired");
      acceptAnswer(http, interaction, cookies);
    },
  };
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

type SpResponse = ReturnType<typeof acceptAnswer>;

/**
 * The response, and the request that it belongs to. Only the `state` of the latest request is accepted, and only
 * from the browser that began the sign-in. Causes no request to another host.
 */
function acceptAnswer(http: HttpRequest, interaction: Interaction, cookies: Cookies) {
  const browser = ownBrowser(http, interaction, cookies);
  if (browser === null) throw new PageError(403, "wrongBrowser");
  // The row keeps the state after the authentication, so that a reload of the response leads to the current step.
  const state = readExternalState(interaction.version.external);
  const asked = state?.asked;
  if (state === null || asked === undefined) throw new PageError(400, "expired");
  const values = readAnswer(http.query);
  const secrets = requestSecrets(browser, { interactionId: interaction.id, salt: state.salt });
  if (!isSameState(values.get("state") ?? "", secrets.state)) throw new PageError(400, "expired");
  return { values, state: { ...state, asked }, secrets };
}

/** Checks which SP sent the response, before anything in it is used (RFC 9207 §2.4, RFC 9700 §4.4). */
function mixUpProblem({ values, state }: SpResponse, key: string | undefined): string | null {
  const { sp, asked } = state;
  if (key !== spKey(sp)) return "the response was sent to the redirect URI of another SP";
  const iss = values.get("iss");
  if (iss === undefined) return asked.iss ? "the authorization response has no iss" : null;
  return iss === sp ? null : "the authorization response has the iss of another SP";
}

/** Whole seconds, never in the future. A NumericDate may have a fraction (RFC 7519 §2). */
function authTimeOf({ auth_time, iat }: { auth_time?: number; iat: number }, now: number): number {
  return Math.floor(Math.max(0, Math.min(auth_time ?? iat, now)));
}

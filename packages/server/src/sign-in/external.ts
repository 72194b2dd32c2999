// Redirects a sign-in to the external SP that the record names, or shows why that is not possible.

import {
  authorizationUrl,
  callbackUri,
  type ExternalState,
  readExternalState,
  requestSecrets,
  type SentRequest,
} from "../federation/authorization-request.ts";
import type { Federation } from "../federation/federation.ts";
import type { SpProblem } from "../federation/sp-problem.ts";
import type { Cookies } from "../http/cookies.ts";
import type { HttpResponse } from "../http/message.ts";
import { newErrorId } from "../http/pipeline.ts";
import { page, seeOther } from "../http/responses.ts";
import { type InteractionContext, stepPath } from "../interaction/interaction.ts";
import { PageError, pagesFor } from "../interaction/pending-request.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText } from "../lib/random.ts";
import { type ExternalPageProps, externalPage } from "../pages/external.ts";
import type { Aggregates, Store } from "../store/store.ts";
import type { Events } from "../telemetry/events.ts";

interface Deps extends Aggregates {
  readonly issuer: string;
  readonly store: Store;
  readonly federation: Federation;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
}

export function createExternal(deps: Deps) {
  return {
    showExternal: (context: InteractionContext) => showExternal(context, deps),
  };
}

/** GET /interaction/:id/external */
async function showExternal(open: InteractionContext, deps: Deps): Promise<HttpResponse> {
  const { http, interaction, request } = open;
  const state = readExternalState(interaction.external);
  const browser = deps.cookies.read(http, "browser");
  if (state === null || browser === undefined) throw new PageError(400, "expired", request);
  const { federation, issuer } = deps;
  await federation.count(http.clientAddress);
  const prepared = await federation.prepare(state.sp);
  if (prepared.outcome === "problem") {
    return showSpProblem(open, prepared.problem, deps);
  }
  const next = nextState(state, prepared.asked, deps);
  if (next !== state) {
    const change = { from: interaction.external, to: JSON.stringify(next) };
    const changed = await deps.store.changeExternal(interaction.id, change, deps.clock.seconds());
    // Another tab was faster: continues with its state.
    if (changed === null) return seeOther(stepPath(interaction.id, "external"));
  }
  const { sp, salt } = next;
  const { client, domain_aware } = prepared.asked;
  const { query, prompt, maxAge, statementWanted } = request;
  return seeOther(
    authorizationUrl(prepared.authorizationEndpoint, {
      clientId: client.id,
      redirectUri: callbackUri(issuer, sp),
      domain: interaction.domain,
      secrets: requestSecrets(browser, { interactionId: interaction.id, salt }),
      prompt,
      maxAge,
      locales: new URLSearchParams(query).get("ui_locales"),
      statement: domain_aware ? statementWanted : null,
    }),
  );
}

/**
 * A reload repeats the pending request. After a response, or if the metadata of the SP has changed, the
 * request gets new secrets.
 */
function nextState(state: ExternalState, asked: SentRequest, { random }: Deps): ExternalState {
  const timeless = (request: SentRequest) => JSON.stringify({ ...request, at: 0 });
  const isPending = state.asked !== undefined && state.taken === undefined;
  if (isPending && timeless(state.asked) === timeless(asked)) return state;
  const { taken: _, ...kept } = state;
  const salt = state.asked === undefined ? state.salt : randomText(random, 16);
  return { ...kept, salt, asked };
}

/** Shows the problem, with a link to try again. */
export function showSpProblem(
  open: InteractionContext,
  problem: SpProblem,
  deps: Deps,
): Promise<HttpResponse> {
  const { kind, sp, detail } = problem;
  const again = stepPath(open.interaction.id, "external");
  return showProblem(open, { kind, sp, detail, again }, deps);
}

/** The record changed while the user was at the SP. The link restarts the authorization request. */
export function showRecordChanged(
  open: InteractionContext,
  sp: string,
  deps: Deps,
): Promise<HttpResponse> {
  const detail = "the record no longer names this SP and this account";
  const again = `/oauth/authorize?${open.request.query}`;
  return showProblem(open, { kind: "record_changed", sp, detail, again }, deps);
}

async function showProblem(
  { http, interaction, request }: InteractionContext,
  problem: { kind: ExternalPageProps["problem"]; sp: string; detail: string; again: string },
  { events, random }: Deps,
): Promise<HttpResponse> {
  const { kind, sp, detail, again } = problem;
  const errorId = newErrorId(random);
  events.spFailed({ sp, kind, detail, errorId });
  return page(
    kind === "unreachable" ? 503 : 422,
    externalPage(pagesFor(http, request), {
      domain: interaction.domain,
      spHost: new URL(sp).host,
      problem: kind,
      detail: kind === "record_changed" ? undefined : detail,
      errorId,
      again,
      otherAction: `/sign-in/other?${request.query}`,
    }),
  );
}

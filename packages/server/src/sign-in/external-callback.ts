// The person comes back from an external SP: checks the answer, the account and the record, in this order.

import type { SpRecords } from "../dns/sp-record.ts";
import { failureOf, namesAccount } from "../dns/sp-record.ts";
import {
  type Asked,
  type ExternalState,
  interactionOf,
  isSameState,
  type RequestSecrets,
  readExternalState,
  requestSecrets,
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
import { PageError } from "../interaction/page-error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText } from "../lib/random.ts";
import type { AccountStore } from "../store/accounts.ts";
import type { ConsentStore } from "../store/consents.ts";
import type { InteractionStore } from "../store/interactions.ts";
import type { SessionStore } from "../store/sessions.ts";
import type { Events } from "../telemetry/events.ts";
import { authenticated } from "./authenticated.ts";
import { dnsFailed } from "./dns-failed.ts";
import { showRecordChanged, showSpProblem } from "./external.ts";

/** The interaction that an answer is for: its `state` names it. */
export function interactionOfAnswer({ query }: HttpRequest): string {
  const id = interactionOf(readAnswer(query).get("state") ?? "");
  if (id === null) throw new PageError(400, "malformedRequest");
  return id;
}

interface Deps {
  readonly issuer: string;
  readonly store: AccountStore & InteractionStore & ConsentStore & SessionStore;
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
  const asked = askedBefore(open, values.get("state") ?? "", deps);
  const refuse = (kind: SpProblemKind, detail: string) =>
    showSpProblem(open, { kind, sp: asked.state.sp, detail }, deps);
  const mixedUp = mixUp(values, http.params.h, asked.state);
  if (mixedUp !== null) return refuse("bad_answer", mixedUp);
  if (asked.state.taken) return refuse("bad_answer", "its answer was used before");
  await deps.federation.count(http.clientAddress);
  const taken = await changeState(open, { ...asked.state, taken: true }, deps);
  if (taken === null) return alreadyTaken(open, refuse, deps);

  const error = values.get("error");
  if (error !== undefined) return refuse("refused_by_sp", `it answers ${shownError(error)}`);
  if (!values.has("code")) return refuse("bad_answer", "its answer has neither code nor error");
  return redeem(taken, { ...asked, values }, deps);
}

interface AskedBefore {
  readonly state: ExternalState & { readonly asked: Asked };
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

/** What the answer is to. The state of a try before this one is as little worth as that of a stranger. */
function askedBefore(
  { http, interaction, request }: InteractionContext,
  sent: string,
  { cookies }: Deps,
): AskedBefore {
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

/** RFC 9207 §2.4, RFC 9700 §4.4: whose answer it is, before anything of it is used. */
function mixUp(
  values: ReadonlyMap<string, string>,
  key: string | undefined,
  { sp, asked }: AskedBefore["state"],
): string | null {
  if (key !== spKey(sp)) return "an answer came to an address that is not for it";
  const iss = values.get("iss");
  if (iss === undefined) return asked.iss ? "its answer does not say iss" : null;
  return iss === sp ? null : "its answer names another iss";
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

/** A double click, or a reload that came while the first one was worked on. */
async function alreadyTaken(
  { interaction, request }: OpenInteraction,
  refuse: (kind: SpProblemKind, detail: string) => Promise<HttpResponse>,
  deps: Deps,
): Promise<HttpResponse> {
  const standing = await deps.store.readInteraction(interaction.id);
  return standing === null || standing.accountId === null
    ? refuse("bad_answer", "its answer was used before")
    : advance({ interaction: standing, request }, deps);
}

async function redeem(
  open: InteractionContext,
  { state, secrets, values }: AskedBefore & { values: ReadonlyMap<string, string> },
  deps: Deps,
): Promise<HttpResponse> {
  const { interaction, request } = open;
  const { domain, acct } = interaction;
  const { sp } = state;
  if (acct === null) throw new Error("a sign-in at an external SP without acct");
  const { maxAge, prompt } = request;
  const isAnew = prompt.has("login");
  const known = await deps.store.findAccount(domain, { sp, acct });
  const answer = new URLSearchParams([...values]);
  // Both at once: one after the other a person would wait twice.
  const [redeemed, look] = await Promise.all([
    deps.federation.redeem(
      state,
      { answer, secrets, maxAge, isAnew, domain, acct },
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
  // The zone changed hands between two questions.
  if (account === "conflict") throw new PageError(503, "temporarilyUnavailable", request);
  if (account.id === id) events.enrolled({ accountId: id, domain, assurance: look.assurance });
  const proof = await deps.federation.ownerProof(claims.owner_proof, {
    ...{ domain, sp, acct, jkt: look.jkt, now },
    wanted: state.asked.domain_aware ? request.statementWanted : null,
  });
  if (proof.outcome === "dropped") {
    const dropped = `its owner_proof was left out: ${proof.reason}`;
    events.spFailed({ sp, kind: "bad_answer", detail: dropped, errorId: newErrorId(random) });
  }
  return authenticated(
    open,
    {
      ...{ account, amr: "external", cookies: [] },
      authTime: authTimeOf(claims, now),
      controlCheckedAt: look.checkedAt,
      ownerProof: proof.outcome === "proof" ? JSON.stringify(proof.part) : null,
    },
    deps,
  );
}

/** RFC 7519 §2: a NumericDate may have a fraction; what is kept is in whole seconds, and of the past. */
function authTimeOf({ auth_time, iat }: { auth_time?: number; iat: number }, now: number): number {
  return Math.floor(Math.max(0, Math.min(auth_time ?? iat, now)));
}

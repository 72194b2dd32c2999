// The first sign-in: shows the record to publish, and creates the account when DNS contains it.

import type { Diagnosis } from "../../dns/diagnosis.ts";
import { type Freshness, failureOf, type SpRecordLook, spRecordName } from "../../dns/sp-record.ts";
import type { HttpResponse } from "../../http/message.ts";
import { page, seeOther } from "../../http/responses.ts";
import { dnsFailed } from "../../interaction/dns-failed.ts";
import {
  advance,
  browserCookie,
  type InteractionContext,
  isByItself,
  stepPath,
} from "../../interaction/interaction.ts";
import { formField, PageError, pagesFor } from "../../interaction/pending-request.ts";
import { shownMoment } from "../../pages/dates.ts";
import { dnsSetupPage, type PasskeyOffer } from "../../pages/dns-setup.ts";
import { type EarlierSetUp, earlierSetUpsPage } from "../../pages/earlier-set-ups.ts";
import { ownUnknownPage } from "../../pages/own-unknown.ts";

import { authenticated } from "../authenticated.ts";
import type { Deps, StepDeps } from "../deps.ts";
import { autoCheckAt, describeCheck } from "../lookup-notice.ts";
import {
  finishSetUp,
  isSignedIn,
  redirectToFirstPage,
  setUpOver,
  setUpsOver,
} from "./finish-set-up.ts";
import { accountKnownToBrowser } from "./former-record.ts";
import {
  beginSetUp,
  droppedOf,
  isFullFor,
  readEverySetUp,
  readSetUps,
  recordOf,
  resumeSetUp,
  type SetUp,
} from "./set-up.ts";
import { passkeyOffer } from "./set-up-passkey.ts";

type SetUpDeps = StepDeps &
  Pick<Deps, "issuer" | "accounts" | "enrolments" | "newRecords" | "diagnoses"> &
  Pick<Deps, "statementKeys" | "setUpSeal" | "restoredAt" | "attempts" | "events">;

export function createDnsSetup(deps: SetUpDeps) {
  const { interactions, clock } = deps;
  return { showDnsSetup, checkDnsSetup, startOver, resumeEarlier };

  /** GET /interaction/:id/dns-setup */
  function showDnsSetup(open: InteractionContext): Promise<HttpResponse> {
    return checkRecord(open, "recent", deps);
  }

  /** POST /interaction/:id/dns-setup: "check now". */
  function checkDnsSetup(open: InteractionContext): Promise<HttpResponse> {
    return checkRecord(open, "now", deps);
  }

  /** POST /interaction/:id/start-over: begins a new set-up, with a new record. */
  async function startOver(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const switched = await interactions.switchToSetUp(id, clock.seconds());
    if (switched === null) return advance(open, deps);
    const others = (await setUpsOf(open, deps)).filter(
      ({ cookieName }) => cookieName !== deps.cookies.setUpName(id),
    );
    const over = await setUpsOver(http, others, deps);
    const cleared = over.map(({ cookieName }) => cookieName);
    const begun = { interactionId: id, domain, client: request.clientName, cleared };
    const setCookies = [
      ...(await beginSetUp(http, begun, deps)),
      ...cleared.map((name) => deps.cookies.clear(name)),
    ];
    return advance({ interaction: switched, request }, deps, setCookies);
  }

  /** POST /interaction/:id/resume with `set_up`, the key of one: shows an earlier set-up of this browser again. */
  async function resumeEarlier(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const wanted = await formField(http, "set_up", request);
    const earlier = (await setUpsOf(open, deps)).find(({ key }) => key === wanted);
    if (earlier === undefined) throw new PageError(400, "expired", request);
    const setCookies = await resumeSetUp(http, interaction.id, earlier, deps);
    return advance(open, deps, setCookies);
  }
}

/** The set-ups of this browser for the domain of the interaction. */
async function setUpsOf(
  { http, interaction: { domain } }: InteractionContext,
  deps: SetUpDeps,
): Promise<readonly SetUp[]> {
  return (await readSetUps(http, deps)).filter((setUp) => setUp.domain === domain);
}

/** Looks up the record. Creates the account if it is found, and otherwise shows what was found. */
async function checkRecord(
  open: InteractionContext,
  freshness: Freshness,
  deps: SetUpDeps,
): Promise<HttpResponse> {
  const { http, interaction } = open;
  const { id, domain } = interaction;
  const setUps = await setUpsOf(open, deps);
  const own = setUps.find(({ cookieName }) => cookieName === deps.cookies.setUpName(id));
  const value = own === undefined ? null : recordOf(own, deps);
  // The record of any set-up of this browser counts. Only its own page shows it.
  const wanted = value !== null && setUps.length === 1 ? value : { sp: null };
  // The same for a domain whose account sleeps: a stranger must not learn of it, nor by which questions are asked.
  const how = { resolvers: "once seen", freshness } as const;
  const diagnosing =
    value === null ? null : deps.diagnoses.look(domain, spRecordName(domain), value, how);
  const look = await deps.newRecords.lookForRecord(domain, wanted, freshness);
  const failure = failureOf(look);
  if (look.outcome === "own" && (await isVoid(open, look.acct, deps))) {
    return setUpOver(open, "restored");
  }
  const named = look.outcome === "own" ? setUps.find(({ acct }) => acct === look.acct) : undefined;
  // Finishing shows recovery codes for a day: it is left to the person, who may be away for longer.
  if (named !== undefined && isByItself(http)) return seeOther(stepPath(id, "dns-setup"));
  if (named?.passkey !== undefined) {
    // Nobody is asked for a passkey in vain.
    if (await deps.enrolments.hasEndedAccount(named.accountId)) return setUpOver(open, "ended");
    // Only its passkey finishes it.
    const asked = await deps.interactions.askForPasskey(id, named.acct, deps.clock.seconds());
    return advance({ interaction: asked ?? interaction, request: open.request }, deps);
  }
  if (named !== undefined && look.outcome === "own") {
    const finished = await finishSetUp(open, { setUp: named, look }, deps);
    if (finished.outcome === "over") return finished.response;
    if (finished.outcome === "finished") {
      const cookies = [browserCookie(http, deps).cookie];
      return authenticated(open, { account: finished.account, amr: "dns", cookies }, deps);
    }
  } else if (look.outcome === "own" && (await isSignedIn(open, look.acct, own, deps))) {
    return redirectToFirstPage(open);
  }
  // Other tabs took its cookie. Beginning a new set-up would take the cookie of another tab in turn.
  if (own === undefined && isByItself(http)) throw new PageError(400, "expired", open.request);
  if (own === undefined && look.outcome !== "own") {
    const all = await readSetUps(http, deps);
    if (isFullFor(all, domain)) return chooseEarlier(open, { all, setUps });
    if (failure) return dnsFailed(open, { domain, failure });
    // The cookie is lost or the set-up has expired. No record is published yet, so begins a new one.
    const client = open.request.clientName;
    const setCookies = await beginSetUp(http, { interactionId: id, domain, client }, deps);
    return seeOther(stepPath(id, "dns-setup"), setCookies);
  }
  // Failures are not cached: after a redirect the user would wait for DNS a second time.
  if (freshness === "now" && !failure) return seeOther(autoCheckAt(open, "dns-setup").action);
  // The record belongs to a set-up that this browser did not begin.
  if (value === null || diagnosing === null) return beganElsewhere(open);
  // A conflict: the record has changed since the look.
  const shown =
    named === undefined
      ? look
      : ({ ...look, outcome: "unavailable", reason: "unconfirmed" } as const);
  const earlier = setUps.filter((one) => one !== own);
  const isKnown = (await accountKnownToBrowser(open, deps)) !== null;
  const found = { look: shown, value, earlier, isKnown, diagnosis: await diagnosing };
  return showRecord(open, { ...found, passkey: own && passkeyOffer(open, own, deps) });
}

/** Whether the record is that of a set-up of this browser that began before a backup was restored. */
async function isVoid(
  { http, interaction: { domain } }: InteractionContext,
  acct: string,
  deps: SetUpDeps,
): Promise<boolean> {
  const every = await readEverySetUp(http, deps);
  return every.void.some((setUp) => setUp.domain === domain && setUp.acct === acct);
}

/** The browser has as many set-ups as it keeps, and one of this domain. */
function chooseEarlier(
  { http, interaction: { id, domain }, request }: InteractionContext,
  { all, setUps }: { readonly all: readonly SetUp[]; readonly setUps: readonly SetUp[] },
): Promise<HttpResponse> {
  const pages = pagesFor(http, request);
  const { domain: ofDomain, startedAt } = droppedOf(all) ?? { domain, startedAt: 0 };
  const props = {
    ...{ domain, earlier: shownEarlier(setUps, pages.lang), resumeAction: stepPath(id, "resume") },
    dropped: { domain: ofDomain, date: shownMoment(pages.lang, startedAt) },
    formerRecord: stepPath(id, "former-record"),
    startOverAction: stepPath(id, "start-over"),
  };
  return page(200, earlierSetUpsPage(pages, props));
}

function shownEarlier(setUps: readonly SetUp[], lang: string): readonly EarlierSetUp[] {
  return setUps.map(({ key, client, startedAt }) => ({
    ...{ key, client, date: shownMoment(lang, startedAt) },
  }));
}

/** The record is that of no set-up of this browser. */
function beganElsewhere({ http, interaction, request }: InteractionContext): Promise<HttpResponse> {
  const { id, domain } = interaction;
  const startOverAction = stepPath(id, "start-over");
  const formerRecord = stepPath(id, "former-record");
  const props = { domain, startOverAction, formerRecord };
  return page(200, ownUnknownPage(pagesFor(http, request), props));
}

function showRecord(
  open: InteractionContext,
  found: {
    readonly look: SpRecordLook;
    readonly diagnosis: Diagnosis;
    readonly value: string;
    readonly earlier: readonly SetUp[];
    readonly isKnown: boolean;
    readonly passkey: PasskeyOffer | undefined;
  },
): Promise<HttpResponse> {
  const { http, interaction, request } = open;
  const { id, domain } = interaction;
  const { look, diagnosis, value, earlier, isKnown, passkey } = found;
  const pages = pagesFor(http, request);
  const { action, autoCheck } = autoCheckAt(open, "dns-setup");
  const props = {
    ...{ domain, passkey, action, autoCheck, startOverAction: stepPath(id, "start-over") },
    record: { name: look.name, type: "TXT", value, ttl: 300 } as const,
    result: describeCheck(pages.t, { look, diagnosis, domain }),
    resumeAction: stepPath(id, "resume"),
    ...{ formerRecord: stepPath(id, "former-record"), isKnown },
    handOn: stepPath(id, "hand-on"),
    earlier: shownEarlier(earlier, pages.lang),
  };
  return page(200, dnsSetupPage(pages, props));
}

// The second step of a set-up: shows the record to publish, and creates the account when DNS contains the record.

import type { Diagnoses, Diagnosis } from "../../dns/diagnosis.ts";
import type { NewRecords } from "../../dns/new-records.ts";
import { type Freshness, failureOf, type LookFor, type SpRecordLook } from "../../dns/sp-record.ts";
import type { Cookies } from "../../http/cookies.ts";
import type { HttpResponse } from "../../http/message.ts";
import { isLongBegun, requesterAt } from "../../http/requester.ts";
import { page, seeOther } from "../../http/responses.ts";
import type { Flow } from "../../interaction/flow.ts";
import {
  addressWithRequest,
  browserCookie,
  type InteractionContext,
  isByItself,
  type StepContext,
} from "../../interaction/interaction.ts";
import { dnsFailed, formField, PageError, pagesFor } from "../../interaction/pending-request.ts";
import { recordSeen, startedOver } from "../../interaction/progress.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { isWebView } from "../../lib/user-agent.ts";
import { shownMoment } from "../../pages/dates.ts";
import { dnsSetupPage } from "../../pages/dns-setup.ts";
import { earlierSetUpsPage } from "../../pages/earlier-set-ups.ts";
import type { RecordToPublish } from "../../pages/record.ts";
import { recordFoundPage } from "../../pages/record-found.ts";
import type { EnrolmentStore } from "../../store/enrolments.ts";
import { returnToRequest } from "../domain.ts";
import { autoCheckOf, describeCheck } from "../lookup-notice.ts";
import type { NewCeremony } from "../owner-statement.ts";
import { cannotFinish, type SetUpEnd } from "./finish-set-up.ts";
import { droppedOf, isFullFor, isPasskeyAnswered, type SetUp } from "./set-up.ts";
import {
  createSetUpPasskey,
  type Deps as SetUpPasskeyDeps,
  shownEarlier,
} from "./set-up-passkey.ts";

export interface Deps extends SetUpPasskeyDeps {
  readonly flow: Flow;
  readonly setUpEnd: SetUpEnd;
  readonly newCeremony: NewCeremony;
  readonly enrolments: EnrolmentStore;
  readonly newRecords: NewRecords;
  readonly diagnoses: Diagnoses;
  readonly cookies: Cookies;
  readonly clock: Clock;
  readonly random: Random;
}

type SetUpStep = StepContext<"dns-setup">;

/** The query with which a browser without script goes on from the page about a passkey. */
const WITHOUT_PASSKEY = /^passkey=none(?:&|$)/;

interface Facts {
  readonly domain: string;
  readonly look: SpRecordLook;
  /** All set-ups of this browser, and the set-up that began in this interaction, if its cookie is still there. */
  readonly all: readonly SetUp[];
  readonly own: SetUp | undefined;
  /** Set-ups of this browser that began before a backup was restored. */
  readonly voided: readonly SetUp[];
  /** Whether another tab of this browser has finished the set-up whose record was seen. */
  readonly isSignedIn: boolean;
  readonly isByItself: boolean;
  /** Whether the person has asked to look now. */
  readonly isNow: boolean;
}

type Decision =
  | { readonly action: "say that a restore ended it" | "go to first page" | "expire" }
  | { readonly action: "open the page again" | "choose an earlier one" | "begin" | "show" }
  | { readonly action: "ask whether to make a passkey" }
  | {
      readonly action: "say that it is found" | "ask for passkey" | "finish";
      readonly setUp: SetUp;
    };

/** The set-up that began in this interaction, with what its page shows. */
interface OwnSetUp {
  readonly setUp: SetUp;
  readonly record: RecordToPublish;
  readonly diagnosing: Promise<Diagnosis>;
}

/** What to do about a set-up, by what DNS says and by which set-ups this browser has. */
function decide(facts: Facts): Decision {
  const { domain, look, all, own, voided, isSignedIn, isByItself, isNow } = facts;
  if (look.outcome === "own") {
    const isOfRecord = (one: SetUp) => one.domain === domain && one.acct === look.acct;
    if (voided.some(isOfRecord)) return { action: "say that a restore ended it" };
    // The record of any set-up of this browser counts. Only its own page shows it.
    const named = all.find(isOfRecord);
    if (named !== undefined) {
      // Finishing shows recovery codes for a day: it is left to the person, who may be away for longer.
      if (isByItself) return { action: "say that it is found", setUp: named };
      return { action: named.passkey === undefined ? "finish" : "ask for passkey", setUp: named };
    }
    if (isSignedIn) return { action: "go to first page" };
  }
  // Other tabs took its cookie. Beginning a new set-up would take the cookie of another tab in turn.
  if (own === undefined && isByItself) return { action: "expire" };
  if (own === undefined && look.outcome !== "own") {
    // The cookie is lost or the set-up has expired. No record is published yet, so begins a new one.
    return { action: isFullFor(all, domain) ? "choose an earlier one" : "begin" };
  }
  if (own !== undefined && !isPasskeyAnswered(own))
    return { action: "ask whether to make a passkey" };
  // Failures are not cached: after a redirect the user would wait for DNS a second time.
  const isCertain = failureOf(look) === null;
  return { action: isNow && isCertain ? "open the page again" : "show" };
}

export function createDnsSetup(deps: Deps) {
  const { flow, setUps, setUpEnd, cookies } = deps;
  const passkeyStep = createSetUpPasskey(deps);
  return {
    /** GET /interaction/:id/dns-setup */
    showDnsSetup: (open: SetUpStep) => checkRecord(open, "recent"),
    /** POST /interaction/:id/dns-setup: "check now". */
    checkDnsSetup: (open: SetUpStep) => checkRecord(open, "now"),
    startOver,
    resumeEarlier,
    ...passkeyStep,
  };

  /** POST /interaction/:id/start-over: begins a new set-up. `set_up` is the key of one whose record was found. */
  async function startOver(open: InteractionContext): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const found = await formField(http, "set_up", request);
    const changed = await flow.change(interaction, startedOver);
    if (!changed.isChanged) return flow.next({ ...changed, http, request });
    const own = cookies.setUpName(id);
    const others = (await setUps.read(http)).filter(
      (one) => one.domain === domain && one.cookieName !== own,
    );
    const over = await setUpEnd.overIn(http, others);
    // The record of one that was found in DNS would finish it at once, or ask for its passkey again.
    const isCleared = (one: SetUp) => one.key === found || over.includes(one);
    const cleared = others.filter(isCleared).map(({ cookieName }) => cookieName);
    const formerAcct = (await setUps.ofInteraction(http, id))?.acct;
    const client = request.clientName;
    const started = { interactionId: id, domain, client, formerAcct, cleared };
    const setCookies = [
      ...(await setUps.begin(http, started)),
      ...cleared.map((name) => cookies.clear(name)),
    ];
    return flow.next({ ...changed, http, request }, setCookies);
  }

  /** POST /interaction/:id/resume with `set_up`, the key of one: shows an earlier set-up of this browser again. */
  async function resumeEarlier(open: SetUpStep): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const wanted = await formField(http, "set_up", request);
    const earlier = (await setUps.read(http)).find(
      ({ domain, key }) => domain === interaction.domain && key === wanted,
    );
    if (earlier === undefined) throw new PageError(400, "expired", request);
    return flow.next(open, await setUps.resume(http, interaction.id, earlier));
  }

  /** Looks up the record. Creates the account if it is found, and otherwise shows what was found. */
  async function checkRecord(open: SetUpStep, freshness: Freshness): Promise<HttpResponse> {
    const { http, interaction } = open;
    const { id, domain, createdAt } = interaction;
    if (WITHOUT_PASSKEY.test(http.query)) return goWithoutPasskey(open);
    const { valid: all, void: voided } = await setUps.readEvery(http);
    const setUp = all.find(
      (one) => one.domain === domain && one.cookieName === cookies.setUpName(id),
    );
    // The set-up of this browser may have begun anew with a passkey, or its cookie may be lost.
    const begun = [...all, { domain, startedAt: createdAt }];
    const isReserved = isLongBegun(begun, domain, deps.clock.seconds());
    const looked = { freshness, from: requesterAt(http.clientAddress, isReserved) };
    const own = setUp === undefined ? null : ownSetUp(domain, setUp, { ...looked, all });
    const isOnly = all.filter((one) => one.domain === domain).length === 1;
    const wanted = own !== null && isOnly ? own.record.value : { sp: null };
    const look = await deps.newRecords.lookForRecord(domain, wanted, looked);
    const isOurs = [...all, ...voided].some(
      (one) => look.outcome === "own" && one.domain === domain && one.acct === look.acct,
    );
    const isSignedIn =
      look.outcome === "own" && !isOurs && (await setUpEnd.isSignedIn(open, look.acct, setUp));
    const asking = { isByItself: isByItself(http), isNow: freshness === "now" };
    const facts = { domain, look, all, own: setUp, voided, isSignedIn, ...asking };
    return act(open, facts, own);
  }

  /** A browser without script cannot make a passkey. */
  async function goWithoutPasskey(open: SetUpStep): Promise<HttpResponse> {
    const { http, interaction } = open;
    const own = await setUps.ofInteraction(http, interaction.id);
    const mustAnswer = own !== undefined && !isPasskeyAnswered(own);
    const setCookies = mustAnswer ? await setUps.goWithoutPasskey(http, interaction.id, own) : [];
    return seeOther(addressOf(open, "dns-setup"), setCookies);
  }

  function ownSetUp(
    domain: string,
    setUp: SetUp,
    { all, ...looked }: LookFor & { readonly all: readonly SetUp[] },
  ): OwnSetUp {
    const record = setUps.recordOf(setUp);
    const { formerAcct } = setUp;
    const others = all.filter((one) => one.domain === domain && one !== setUp);
    const earlier = [...others.map(({ acct }) => acct), ...(formerAcct ? [formerAcct] : [])];
    // The same queries for a domain whose account sleeps: strangers must not learn of that account.
    const wanted = { ...looked, earlier };
    const diagnosing = deps.diagnoses.look(domain, record.name, record.value, wanted);
    return { setUp, record, diagnosing };
  }

  async function act(open: SetUpStep, facts: Facts, own: OwnSetUp | null): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const { look } = facts;
    const failure = failureOf(look);
    const decision = decide(facts);
    switch (decision.action) {
      case "say that a restore ended it":
        return cannotFinish(open, "restored");
      case "go to first page":
        // The first page offers to continue.
        return returnToRequest(interaction);
      case "expire":
        throw new PageError(400, "expired", request);
      case "open the page again":
        return seeOther(facts.isNow ? autoCheckAt(open).action : addressOf(open, "dns-setup"));
      case "choose an earlier one":
        return chooseEarlier(open, facts);
      case "begin": {
        if (failure) return dnsFailed(open, { domain, failure });
        const started = { interactionId: id, domain, client: request.clientName };
        return seeOther(addressOf(open, "dns-setup"), await setUps.begin(http, started));
      }
      case "ask whether to make a passkey":
        // A redirect would tell the script that the record was seen, but another tab has started over.
        return facts.isByItself
          ? passkeyStep.showSetUpPasskey(open)
          : seeOther(addressOf(open, "set-up-passkey"));
      case "say that it is found":
        return sayFound(open, decision.setUp);
      case "ask for passkey":
        return askForPasskey(open, decision.setUp);
      case "finish":
        return finish(open, decision.setUp, facts, own);
      case "show":
        return own === null ? cannotFinish(open) : showRecord(open, own, facts);
    }
  }

  /** For a page that asks by itself. Nothing is stored for a person who may be away. */
  function sayFound(open: SetUpStep, setUp: SetUp): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const action = addressOf(open, "dns-setup");
    const finish = setUp.passkey === undefined ? { action } : { action, optionsAt: action };
    const startOverAction = addressOf(open, "start-over");
    const props = { domain: interaction.domain, finish, startOverAction, setUp: setUp.key };
    return page(200, recordFoundPage(pagesFor(http, request), "dns-setup", props));
  }

  /** Only its passkey finishes the set-up. Nobody is asked for a passkey in vain. */
  async function askForPasskey(open: SetUpStep, setUp: SetUp): Promise<HttpResponse> {
    if (await deps.enrolments.hasEndedAccount(setUp.accountId)) return cannotFinish(open, "ended");
    const ceremony = deps.newCeremony(open.request, setUp);
    const changed = await flow.change(open.interaction, recordSeen(setUp.acct, ceremony));
    return flow.next({ ...open, ...changed });
  }

  function finish(
    open: SetUpStep,
    setUp: SetUp,
    facts: Facts,
    own: OwnSetUp | null,
  ): Promise<HttpResponse> {
    const { look, isNow } = facts;
    async function onConflict(): Promise<HttpResponse> {
      if (isNow) return seeOther(autoCheckAt(open).action);
      if (own === null) return cannotFinish(open);
      const unconfirmed = { ...look, outcome: "indeterminate", reason: "unconfirmed" } as const;
      return showRecord(open, own, { ...facts, look: unconfirmed });
    }
    return setUpEnd.finish(open, setUp, look, { amr: "dns", onConflict });
  }

  async function showRecord(
    open: SetUpStep,
    { setUp, record, diagnosing }: OwnSetUp,
    { look, all }: Facts,
  ): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { domain } = interaction;
    const earlier = all.filter((one) => one.domain === domain && one !== setUp);
    const isKnown = (await deps.formerAccounts.knownToBrowser(http, domain)) !== null;
    const pages = pagesFor(http, request);
    const { action, autoCheck } = autoCheckAt(open);
    const diagnosis = await diagnosing;
    const props = {
      ...{ domain, action, autoCheck, startOverAction: addressOf(open, "start-over") },
      record,
      panel: diagnosis.panel,
      isWebView: setUp.passkey === undefined && isWebView(http.header("user-agent")),
      result: describeCheck(pages.t, { look, diagnosis, domain }),
      resumeAction: addressOf(open, "resume"),
      ...{ formerRecord: addressOf(open, "former-record"), isKnown },
      handOn: addressOf(open, "hand-on"),
      earlier: shownEarlier(earlier, pages.lang),
    };
    // The page may stay open for longer than the browser's cookie lasts.
    const headers = { "set-cookie": [browserCookie(http, deps).cookie] };
    return page(200, dnsSetupPage(pages, props), headers);
  }
}

/** The browser has as many set-ups as it keeps, and one of this domain. */
function chooseEarlier(open: SetUpStep, { all }: Facts): Promise<HttpResponse> {
  const { http, interaction, request } = open;
  const { domain } = interaction;
  const pages = pagesFor(http, request);
  const { domain: ofDomain, startedAt } = droppedOf(all) ?? { domain, startedAt: 0 };
  const earlier = all.filter((one) => one.domain === domain);
  const props = {
    ...{
      domain,
      earlier: shownEarlier(earlier, pages.lang),
      resumeAction: addressOf(open, "resume"),
    },
    dropped: { domain: ofDomain, date: shownMoment(pages.lang, startedAt) },
    formerRecord: addressOf(open, "former-record"),
    startOverAction: addressOf(open, "start-over"),
  };
  return page(200, earlierSetUpsPage(pages, props));
}

function addressOf({ interaction, request }: SetUpStep, page: string): string {
  return addressWithRequest(interaction.id, page, request);
}

function autoCheckAt(open: SetUpStep) {
  return autoCheckOf(open.http, addressOf(open, "dns-setup"));
}

// Hands a set-up on: a link to the record and its status, for whoever manages the DNS. It authenticates nobody.

import type { Diagnoses } from "../../dns/diagnosis.ts";
import type { NewRecords } from "../../dns/new-records.ts";
import { ownRecord } from "../../dns/own-record.ts";
import type { HttpRequest, HttpResponse } from "../../http/message.ts";
import { isLongBegun, requesterAt } from "../../http/requester.ts";
import { page, seeOther } from "../../http/responses.ts";
import { addressWithRequest, type StepContext } from "../../interaction/interaction.ts";
import { PageError, pagesFor, pagesWithout } from "../../interaction/pending-request.ts";
import type { CookieSeal } from "../../keys/cookie-seal.ts";
import type { Clock } from "../../lib/clock.ts";
import { handOnPage } from "../../pages/hand-on.ts";
import { setUpLinkPage } from "../../pages/set-up-link.ts";
import type { AccountStore } from "../../store/accounts.ts";
import { OWN_SP } from "../../store/shared-values.ts";
import { autoCheckOf, describeCheck } from "../lookup-notice.ts";
import { SET_UP_LIFETIME_S, type SetUp, type SetUps } from "./set-up.ts";

/** What a link contains: the record, who asks and until when. No seed, no credential, nothing that signs in. */
interface HandOnContent {
  readonly v: 1;
  readonly domain: string;
  readonly acct: string;
  readonly spk: readonly string[];
  readonly jkt?: string;
  /** Epoch seconds. */
  readonly startedAt: number;
  /** The name and the host of the client. */
  readonly client: string;
  readonly host: string;
}

export interface Deps {
  readonly issuer: string;
  readonly setUps: SetUps;
  readonly linkSeal: CookieSeal;
  readonly accounts: AccountStore;
  readonly newRecords: NewRecords;
  readonly diagnoses: Diagnoses;
  readonly clock: Clock;
}

/** The label under which links are sealed: they have no other name. */
const LABEL = "link";
/** Longer names are cut off: the link has to fit into a QR code. */
const MAX_NAME_CHARS = 60;

export function createHandOn(deps: Deps) {
  const { issuer, setUps, linkSeal, accounts, newRecords, diagnoses, clock } = deps;
  const issuerHost = new URL(issuer).host;
  return { showHandOn, showHandedOn };

  /** GET /interaction/:id/hand-on: the link, its QR code and a text for an e-mail. */
  async function showHandOn(open: StepContext<"dns-setup">): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const own = await setUps.ofInteraction(http, id);
    const back = addressWithRequest(id, "dns-setup", request);
    if (own === undefined) return seeOther(back);
    const link = `${issuer}/set-up/${sealed(own, request.clientName, request.clientHost)}`;
    const { encodeQR } = await import("qr");
    const props = {
      ...{ domain, link, qr: encodeQR(link, "raw", { ecc: "low", border: 2 }) },
      issuerHost,
      until: own.startedAt + SET_UP_LIFETIME_S,
      back,
    };
    return page(200, handOnPage(pagesFor(http, request), props));
  }

  function sealed(
    { domain, acct, spk, passkey, startedAt }: SetUp,
    clientName: string,
    host: string,
  ): string {
    const content: HandOnContent = {
      ...{ v: 1, domain, acct, spk, startedAt, host },
      ...(passkey && { jkt: passkey.thumbprint }),
      client: [...clientName].slice(0, MAX_NAME_CHARS).join(""),
    };
    return linkSeal.close(LABEL, Buffer.from(JSON.stringify(content)));
  }

  /** GET /set-up/:link, in any browser: reads, shows, and changes nothing. */
  async function showHandedOn(http: HttpRequest): Promise<HttpResponse> {
    const { link = "" } = http.params;
    const plain = await linkSeal.open(LABEL, link);
    if (plain === null) throw new PageError(400, "setUpLinkInvalid");
    const content: HandOnContent = JSON.parse(plain.toString());
    const { domain, acct, spk, jkt, startedAt, client, host } = content;
    const until = startedAt + SET_UP_LIFETIME_S;
    const isVoid = await setUps.isVoid(startedAt);
    if (until <= clock.seconds() || isVoid) throw new PageError(400, "setUpLinkInvalid");
    const pages = pagesWithout(http, "");
    const record = ownRecord(issuer, { domain, acct, spk, jkt: jkt ? [jkt] : [] });
    const shown = { domain, record, until, client, host, issuerHost };
    const isDone = (await accounts.findAccount(domain, { sp: OWN_SP, acct })) !== null;
    if (isDone) return page(200, setUpLinkPage(pages, { ...shown, state: "done" }));
    // The link shows that the set-up began.
    const isReserved = isLongBegun([content], domain, clock.seconds());
    const from = requesterAt(http.clientAddress, isReserved);
    const wanted = { freshness: "recent", from } as const;
    const diagnosing = diagnoses.look(domain, record.name, record.value, wanted);
    const look = await newRecords.lookForRecord(domain, record.value, wanted);
    const diagnosis = await diagnosing;
    if (look.outcome === "own" && look.acct === acct) {
      return page(200, setUpLinkPage(pages, { ...shown, state: "seen" }));
    }
    const result = describeCheck(pages.t, { look, diagnosis, domain });
    const { autoCheck } = autoCheckOf(http, `/set-up/${link}`);
    return page(200, setUpLinkPage(pages, { ...shown, state: "waiting", result, autoCheck }));
  }
}

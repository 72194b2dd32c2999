// Hands a set-up on: a link to the record and its status, for whoever manages the DNS. It authenticates nobody.

import type { Diagnoses } from "../../dns/diagnosis.ts";
import type { NewRecords } from "../../dns/new-records.ts";
import { ownRecord } from "../../dns/own-record.ts";
import type { HttpRequest, HttpResponse } from "../../http/message.ts";
import { isLongBegun, requesterAt } from "../../http/requester.ts";
import { page, seeOther } from "../../http/responses.ts";
import { addressWithRequest, type StepContext } from "../../interaction/interaction.ts";
import {
  PageError,
  type PendingRequest,
  pagesFor,
  pagesWithout,
} from "../../interaction/pending-request.ts";
import type { Clock } from "../../lib/clock.ts";
import { handOnPage } from "../../pages/hand-on.ts";
import { type AskingApp, setUpLinkPage } from "../../pages/set-up-link.ts";
import type { AccountStore } from "../../store/accounts.ts";
import { OWN_SP } from "../../store/shared-values.ts";
import { autoCheckOf, describeCheck } from "../lookup-notice.ts";
import { type AppReference, createHandOnLinks, type Deps as LinkDeps } from "./hand-on-link.ts";
import { isPasskeyAnswered, SET_UP_LIFETIME_S, type SetUps } from "./set-up.ts";

export type Deps = LinkDeps & {
  readonly setUps: SetUps;
  readonly clients: { readonly find: (id: string) => Promise<{ readonly name: string } | null> };
  readonly accounts: AccountStore;
  readonly newRecords: NewRecords;
  readonly diagnoses: Diagnoses;
  readonly clock: Clock;
};

export function createHandOn(deps: Deps) {
  const { issuer, setUps, clients, accounts, newRecords, diagnoses, clock } = deps;
  const links = createHandOnLinks(deps);
  const issuerHost = new URL(issuer).host;
  return { showHandOn, showHandedOn };

  /** GET /interaction/:id/hand-on: the link, an e-mail with it, and its QR code. */
  async function showHandOn(open: StepContext<"dns-setup">): Promise<HttpResponse> {
    const { http, interaction, request } = open;
    const { id, domain } = interaction;
    const own = await setUps.ofInteraction(http, id);
    const back = addressWithRequest(id, "dns-setup", request);
    // A passkey would change the record.
    if (own === undefined || !isPasskeyAnswered(own)) return seeOther(back);
    const jkt = own.passkey === undefined ? [] : [own.passkey.thumbprint];
    const link = `${issuer}/set-up/${links.make({ ...own, jkt, app: appOf(request) })}`;
    const { encodeQR } = await import("qr");
    const props = {
      ...{ domain, link, qr: encodeQR(link, "raw", { ecc: "low", border: 2 }) },
      issuerHost,
      until: own.startedAt + SET_UP_LIFETIME_S,
      back,
    };
    return page(200, handOnPage(pagesFor(http, request), props));
  }

  async function askingApp(app: AppReference): Promise<AskingApp> {
    if ("host" in app) return app;
    const client = await clients.find(app.clientId);
    return client && { name: client.name };
  }

  /** GET /set-up/:link, in any browser: reads, shows, and changes nothing. */
  async function showHandedOn(http: HttpRequest): Promise<HttpResponse> {
    const { link = "" } = http.params;
    const content = await links.read(link);
    if (content === null) throw new PageError(400, "setUpLinkInvalid");
    const { domain, acct, spk, jkt, startedAt } = content;
    const until = startedAt + SET_UP_LIFETIME_S;
    const isVoid = await setUps.isVoid(startedAt);
    if (until <= clock.seconds() || isVoid) throw new PageError(400, "setUpLinkInvalid");
    const pages = pagesWithout(http, "");
    const shown = { domain, until, app: await askingApp(content.app), issuerHost };
    const isDone = (await accounts.findAccount(domain, { sp: OWN_SP, acct })) !== null;
    if (isDone) return page(200, setUpLinkPage(pages, { ...shown, state: "done" }));
    if (spk === null) return page(200, setUpLinkPage(pages, { ...shown, state: "outdated" }));
    const record = ownRecord(issuer, { domain, acct, spk, jkt });
    // The link shows that the set-up began.
    const isReserved = isLongBegun([content], domain, clock.seconds());
    const from = requesterAt(http.clientAddress, isReserved);
    const wanted = { freshness: "recent", from } as const;
    const diagnosing = diagnoses.look(domain, record.name, record.value, wanted);
    const look = await newRecords.lookForRecord(domain, record.value, wanted);
    const diagnosis = await diagnosing;
    if (look.outcome === "own" && look.acct === acct) {
      return page(200, setUpLinkPage(pages, { ...shown, record, state: "seen" }));
    }
    const result = describeCheck(pages.t, { look, diagnosis, domain });
    const { autoCheck } = autoCheckOf(http, `/set-up/${link}`);
    const waiting = { state: "waiting", record, result, autoCheck } as const;
    return page(200, setUpLinkPage(pages, { ...shown, ...waiting }));
  }
}

/** Nobody vetted the name of a client that registered itself. A metadata document is at its `client_id`. */
function appOf({ clientId, clientHost, isSelfRegistered }: PendingRequest): AppReference {
  if (URL.canParse(clientId)) return { host: new URL(clientId).host };
  return isSelfRegistered ? { host: clientHost } : { clientId };
}

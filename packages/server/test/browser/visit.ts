// What it takes to come to see a page: a tab, a client that asks, a domain, and the steps on the way.

import { readHtml } from "domain-signin-demo/browser/html-reader";
import type { Page } from "playwright-core";
import { registrationFor } from "../support/passkeys.ts";
import type { TestClient, TestService } from "../support/service.ts";
import { authorizationUrl, publish } from "../support/sign-in.ts";
import { somePasskey } from "../support/store-rows.ts";

export interface Visit {
  readonly at: TestService;
  /** The origin of a service whose every request fails. */
  readonly failing: string;
  /** Of a browser that has no cookie at first. */
  readonly tab: Page;
  readonly client: VisitedClient;
  /** A client with a name, a host and scopes as long as may be. */
  readonly longClient: VisitedClient;
  /** A domain that no other visit uses. */
  readonly domain: string;
}

export type VisitedClient = TestClient & { readonly scope: string };

/** How a person comes to see one page. */
export type Way = (visit: Visit) => Promise<Page>;

/** With everything as long as it may be: a domain of 228 octets, a name of 100 characters. */
export function longest(visit: Visit): Visit {
  const label = "a-very-long-label-that-goes-on-and-on-";
  const room = 228 - visit.domain.length - 1;
  const labels = [63, 63, 63, room - 3 * 64].map((length) =>
    label.repeat(2).slice(0, length).replace(/-$/, "z"),
  );
  const domain = `${labels.join(".")}.${visit.domain}`;
  return { ...visit, domain, client: visit.longClient };
}

export function requestOf(
  { at, client }: Pick<Visit, "at" | "client">,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  return authorizationUrl(at, client, { scope: client.scope, ...parameters });
}

export async function begin(visit: Visit): Promise<Page> {
  await visit.tab.goto(requestOf(visit));
  return visit.tab;
}

/** The first page of a set-up. */
export async function begunWithPasskey(visit: Visit): Promise<Page> {
  return show(visit, await enteredUnseen(visit), "set-up-passkey");
}

/** The record of a set-up without a passkey. */
export async function begunSetUp(visit: Visit): Promise<Page> {
  return show(visit, await beginUnseen(visit), "dns-setup");
}

/** As far as the consent page. */
export async function setUp(visit: Visit): Promise<Page> {
  return show(visit, await setUpUnseen(visit), "consent");
}

export async function continued(visit: Visit): Promise<Page> {
  await setUpUnseen(visit);
  return begin(visit);
}

/** By a browser that the account does not know, or by one that it knows. */
export async function challenged(visit: Visit, { isKnown = false } = {}): Promise<Page> {
  await setUpUnseen(visit);
  return isKnown
    ? show(visit, await beginUnseen(visit), "dns-challenge")
    : challengedElsewhere(visit);
}

/** For an account that is there: by a browser that it does not know. */
export async function challengedElsewhere(visit: Visit): Promise<Page> {
  await visit.tab.context().clearCookies();
  return show(visit, await beginUnseen(visit), "dns-challenge");
}

/** Makes a passkey on the page of a set-up, by an authenticator that is not Chromium's. */
export async function makePasskey(page: Page): Promise<void> {
  const { json } = registrationFor({ url: page.url(), html: await page.content() });
  await postCredential(page, json);
}

/** Posts this as what an authenticator returned, in the place of the script. */
export async function postCredential(page: Page, json: string): Promise<void> {
  const loaded = page.waitForEvent("load");
  await page.evaluate(`(() => {
    const form = document.getElementById("passkey-form");
    form.elements.credential.value = ${JSON.stringify(json)};
    form.submit();
  })()`);
  await loaded;
}

/** As far as the page that asks for a passkey. */
export async function askedForPasskey(visit: Visit): Promise<Page> {
  await setUpUnseen(visit);
  await visit.tab.context().clearCookies();
  const account = (await visit.at.store.accounts.accountsOf(visit.domain))[0];
  await visit.at.store.passkeys.addPasskey(somePasskey(account?.id ?? ""));
  return show(visit, await beginUnseen(visit), "passkey");
}

/** As far as the page that asks for a new passkey after a recovery, in a sign-in or for a change of the account. */
export async function recovered(visit: Visit, change?: "delete-account"): Promise<Page> {
  const codes = await setUpToCodes(visit);
  const code = await codes.locator("code.recovery-code").first().innerText();
  const { at, domain, tab } = visit;
  const account = (await at.store.accounts.accountsOf(domain))[0];
  await at.store.passkeys.addPasskey(somePasskey(account?.id ?? ""));
  await tab.context().clearCookies();
  const own = `${at.issuer}/account`;
  const sent = { client_id: own, redirect_uri: `${own}/${change}`, scope: "openid" };
  const asked = await beginUnseen(visit, change === undefined ? {} : sent);
  const left = await submit(visit, asked, "without-passkey-form", {});
  const challenge = await submit(visit, left, "check-form", { recovery_code: code });
  publishShown(visit, challenge);
  return show(visit, await submit(visit, challenge, "check-form", {}), "new-passkey");
}

/** As far as the page of another service that the zone names. */
export async function handedOver(visit: Visit): Promise<Page> {
  return show(visit, await beginUnseen(visit), "external");
}

/** At a zone that names this service by a set-up that another browser began. */
export async function begunElsewhere(visit: Visit): Promise<Page> {
  publishShown(visit, await beginUnseen(visit));
  await visit.tab.context().clearCookies();
  const page = await show(visit, await beginUnseen(visit), "problem");
  await page.locator("#start-over-form").waitFor();
  return page;
}

/** In a browser that has begun as many set-ups of the domain as it keeps. */
export async function begunOften(visit: Visit): Promise<Page> {
  for (let count = 0; count < 3; count++) await beginUnseen(visit);
  return show(visit, await beginUnseen(visit), "earlier-set-ups");
}

/** With the set-up of an account that has ended. */
export async function endedSetUp(visit: Visit): Promise<Page> {
  await setUpToCodes(visit);
  const [account] = await visit.at.store.accounts.accountsOf(visit.domain);
  const { id: accountId = "", createdAt: now = 0 } = account ?? {};
  await visit.at.store.accountAdmin.endAccountNow({ accountId, now });
  return show(visit, await beginUnseen(visit), "problem");
}

/** Sends a form of the page as its own button would, without following what comes of it. */
export async function post(page: Page, form: Record<string, string>): Promise<void> {
  const headers = { "sec-fetch-site": "same-origin" };
  await page.context().request.post(page.url(), { form, headers, maxRedirects: 0 });
}

/** Shows what a page holds back until it is asked for. */
export async function unfolded(page: Page): Promise<Page> {
  const closed = page.locator("details:not([open]) > summary");
  while ((await closed.count()) > 0) await closed.first().click();
  return page;
}

/** A page that the browser is given without showing it, which takes a fraction of the time. */
interface Unseen {
  readonly url: string;
  readonly html: string;
}

export async function setUpUnseen(visit: Visit): Promise<Unseen> {
  const page = await beginUnseen(visit);
  publishShown(visit, page);
  return submit(visit, await submit(visit, page, "check-form", {}), "recovery-codes-form", {});
}

/** As far as the recovery codes of the new account. */
export async function setUpToCodes(visit: Visit): Promise<Page> {
  const page = await beginUnseen(visit);
  publishShown(visit, page);
  return show(visit, await submit(visit, page, "check-form", {}), "recovery-codes");
}

function publishShown({ at }: Visit, { html }: Unseen): void {
  const { byId } = readHtml(html);
  publish(at, { text: (id) => byId(id)?.text ?? "" });
}

/** The page that comes after that of the domain, without a passkey if it is a set-up. */
export async function beginUnseen(
  visit: Visit,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Unseen> {
  const page = await enteredUnseen(visit, parameters);
  const isAsked = readHtml(page.html).step === "set-up-passkey";
  return isAsked ? submit(visit, page, "without-passkey-form", {}) : page;
}

/** The page that comes after that of the domain. */
async function enteredUnseen(
  visit: Visit,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Unseen> {
  // A browser that is signed in as another domain is asked for one too.
  const url = requestOf(visit, { prompt: "login", ...parameters });
  const first = await visit.tab.context().request.get(url);
  const page = { url: first.url(), html: await first.text() };
  return submit(visit, page, "domain-form", { domain: visit.domain });
}

async function submit(
  { tab }: Visit,
  { url, html }: Unseen,
  formId: string,
  fields: Readonly<Record<string, string>>,
): Promise<Unseen> {
  const form = readHtml(html).forms.find(({ id }) => id === formId);
  if (form === undefined) throw new Error(`${url} has no form ${formId}`);
  const hidden = form.controls.filter(({ isOn }) => isOn).map(({ name, value }) => [name, value]);
  const answer = await tab.context().request.post(new URL(form.action, url).href, {
    form: { ...Object.fromEntries(hidden), ...fields },
    headers: { "sec-fetch-site": "same-origin" },
  });
  return { url: answer.url(), html: await answer.text() };
}

export async function show({ tab }: Visit, { url, html }: Unseen, wanted: string): Promise<Page> {
  const { step } = readHtml(html);
  if (step !== wanted) throw new Error(`${url} is ${step}, not ${wanted}`);
  await tab.goto(url);
  return tab;
}

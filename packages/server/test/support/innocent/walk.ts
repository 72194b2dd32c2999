// Walks through the pages as their reader does, and notices when somebody is turned away.

import type { Page, UserAgent } from "domain-signin-demo/browser/user-agent";
import type { SoftPasskey } from "../authenticator.ts";
import { registrationFor, usePasskey } from "../passkeys.ts";
import type { TestClient } from "../service.ts";
import { recoveryCodesIn } from "../sign-in.ts";
import type { AllZones } from "./all-zones.ts";

/** An innocent was turned away. */
export class RefusedError extends Error {
  override name = "RefusedError";
}

/** What no innocent may read. */
const REFUSALS =
  /Too many people at once|Too many requests|Too many attempts|This page has expired|Our service is busy/;
/** No refusal where the resolvers are asked instead: whoever reads it goes on. */
const BUSY = "We are busy";
const MAX_STEPS = 14;
const REFUSED_STATUSES = [429, 503];

export interface Way {
  readonly zones: AllZones;
  readonly client: TestClient;
  readonly agent: UserAgent;
  readonly domain: string;
  /** Where the walk begins: the address of the authorization request. */
  readonly url: string;
  /** Entered where the service asks for one. */
  readonly code?: string;
  readonly passkey?: SoftPasskey | null;
  /** The set-up is to have a passkey. */
  readonly withPasskey?: boolean;
  /** How often somebody who was turned away tries again. */
  readonly retries?: number;
}

export interface Walked {
  /** The redirect to the app. */
  readonly page: Page;
  readonly codes: readonly string[];
  readonly passkey: SoftPasskey | null;
}

/** Null for a page that turns nobody away. */
export function refusalIn({ status, html, url, headers }: Page): string | null {
  const [said] = REFUSALS.exec(html) ?? [];
  if (said === undefined && !REFUSED_STATUSES.includes(status)) return null;
  const wait = headers.get("retry-after");
  const path = new URL(url).pathname.replace(/[\w-]{16,}/, "…");
  return `${status} ${said ?? ""} at ${path}${wait === null ? "" : `, for ${wait} s`}`;
}

/** Until the browser is sent to the app. Throws `RefusedError` when the walker is turned away. */
export async function walk(way: Way): Promise<Walked> {
  const { zones, client, agent, domain, withPasskey = false, retries = 0 } = way;
  const stopAt = client.redirectUri;
  let passkey = way.passkey ?? null;
  let retried = 0;
  let codes: readonly string[] = [];

  /** Whoever was turned away loads the page again. */
  async function visit(act: () => Promise<Page>): Promise<Page> {
    let page = await act();
    for (let left = retries - retried; refusalIn(page) !== null && left > 0; left--) {
      retried++;
      page = await agent.open(page.url, { stopAt });
    }
    const refusal = refusalIn(page);
    if (refusal !== null) throw new RefusedError(refusal);
    return page;
  }

  function submit(page: Page, form: string, fields: Record<string, string> = {}, button?: string) {
    return agent.submit(page, form, fields, { stopAt, ...(button && { button }) });
  }

  function publish(page: Page): void {
    zones.publish(page.text("dns-name"), page.text("dns-value"));
  }

  const hasForm = (page: Page, name: string) => page.forms.some(({ id }) => id === name);
  const hasField = ({ forms }: Page, field: string) =>
    forms.some(({ controls }) => controls.some(({ name }) => name === field));

  /** On the page of the record, or on a page before it. */
  async function makePasskey(page: Page, form: string): Promise<Page> {
    const made = registrationFor(page);
    passkey = made.passkey;
    return submit(page, form, { credential: made.json });
  }

  function goOn(page: Page): Promise<Page> {
    switch (page.step) {
      case "domain":
        return submit(page, "domain-form", { domain });
      case "continue":
        return submit(page, "continue-form");
      case "set-up-passkey":
        if (withPasskey && passkey === null) return makePasskey(page, "passkey-form");
        return submit(page, "without-passkey-form");
      case "dns-setup":
        if (withPasskey && passkey === null && hasForm(page, "passkey-form")) {
          return makePasskey(page, "passkey-form");
        }
        publish(page);
        return submit(page, "check-form");
      case "dns-challenge":
        if (hasField(page, "recovery_code")) {
          return submit(page, "check-form", { recovery_code: way.code ?? "" });
        }
        publish(page);
        return submit(page, "check-form");
      case "passkey":
        if (passkey === null) throw new Error("there is no passkey");
        return usePasskey(agent, page, passkey, { stopAt });
      case "recovery-codes":
        codes = recoveryCodesIn(page);
        return submit(page, "recovery-codes-form");
      case "news":
        return submit(page, "news-form");
      case "consent":
        return submit(page, "consent-form", {}, "allow");
      default:
        throw new Error(`stuck at ${page.step} (${page.status}): ${page.html.slice(0, 1000)}`);
    }
  }

  let page = await visit(() => agent.open(way.url, { stopAt }));
  for (let steps = 0; !page.stopped; steps++) {
    if (steps === MAX_STEPS && page.html.includes(BUSY)) {
      throw new RefusedError(`${BUSY}, to the end, at ${page.step}`);
    }
    if (steps === MAX_STEPS) throw new Error(`no end: still at ${page.step}`);
    const shown = page;
    page = await visit(() => goOn(shown));
  }
  if (!new URL(page.url).searchParams.has("code")) throw new Error(`no code in ${page.url}`);
  return { page, codes, passkey };
}

/** The first sign-in of a domain. */
export async function setUp(way: Way): Promise<Pick<Walked, "codes" | "passkey">> {
  const { codes, passkey } = await walk(way);
  return { codes, passkey };
}

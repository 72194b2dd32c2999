// A person with a passkey, in the browser of a test: registers it, and answers the page that asks for it.

import { randomBytes } from "node:crypto";
import type { Page, UserAgent } from "domain-signin-demo/browser/user-agent";
import { registrationOptions, verifyRegistration } from "../../src/passkeys/webauthn.ts";
import {
  createAuthenticator,
  type NewKey,
  type SoftPasskey,
  type Spoiled,
} from "./authenticator.ts";
import type { TestService } from "./service.ts";

/** Gives the live account of the domain a passkey, and returns it with its thumbprint. */
export async function givePasskey(
  { issuer, store }: Pick<TestService, "issuer" | "store">,
  domain: string,
  given: { counter?: number; createdAt?: number } = {},
): Promise<SoftPasskey & { readonly thumbprint: string; readonly accountId: string }> {
  const accounts = await store.accounts.accountsOf(domain);
  const account = accounts.find(({ asleepSince }) => asleepSince === null);
  if (account === undefined) throw new Error(`${domain} has no live account`);
  const challenge = randomBytes(32).toString("base64url");
  const userHandle = randomBytes(16).toString("base64url");
  const options = registrationOptions({ issuer, challenge, userHandle, domain });
  const { passkey, json } = createAuthenticator(issuer).create(options, {
    counter: given.counter ?? 0,
  });
  const result = await verifyRegistration(json, { issuer, challenge });
  if (result.outcome === "refused") throw new Error(result.problem);
  const { passkey: key } = result;
  const { id: accountId } = account;
  const { createdAt = account.createdAt } = given;
  await store.passkeys.addPasskey({ ...key, accountId, userHandle, name: "Test", createdAt });
  return { ...passkey, thumbprint: key.thumbprint, accountId };
}

export function optionsIn({ html }: Pick<Page, "html">) {
  const [, escaped = ""] = /data-options="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(escaped.replaceAll("&quot;", '"'));
}

/** What the script of the page would post. */
export function assertionFor(
  page: Pick<Page, "html" | "url">,
  passkey: SoftPasskey,
  spoiled: Spoiled = {},
): string {
  return createAuthenticator(new URL(page.url).origin).get(passkey, optionsIn(page), spoiled);
}

/** A new passkey for the page that offers one, and what the script of the page would post. */
export function registrationFor(
  page: Pick<Page, "html" | "url">,
  spoiled: Spoiled & NewKey = {},
): { readonly passkey: SoftPasskey; readonly json: string } {
  return createAuthenticator(new URL(page.url).origin).create(optionsIn(page), spoiled);
}

/** Answers the page with this passkey. */
export function usePasskey(
  agent: UserAgent,
  page: Page,
  passkey: SoftPasskey,
  { spoiled, stopAt }: { spoiled?: Spoiled; stopAt: string },
): Promise<Page> {
  const credential = assertionFor(page, passkey, spoiled);
  return agent.submit(page, "passkey-form", { credential }, { stopAt });
}

// What the script of a page tells the browser about passkeys, for the password managers of the person.

import { html } from "hono/html";
import type { PageHtml } from "./messages.ts";

/** Credential ids and user handles are base64url. */
export interface PasskeySignals {
  readonly rpId: string;
  /** The ids of passkeys that sign nobody in any more, for `signalUnknownCredential()`. */
  readonly removed: readonly string[];
  /** The ids of all passkeys of an account, for `signalAllAcceptedCredentials()` with each of its user handles. */
  readonly accepted: {
    readonly userHandles: readonly string[];
    readonly credentialIds: readonly string[];
  } | null;
}

/** The script sends what this element says, and only that: nothing of it comes from a URL. */
export function passkeySignals(signals: PasskeySignals | undefined): PageHtml {
  if (signals === undefined) return html``;
  const { rpId, removed, accepted } = signals;
  const { userHandles = [], credentialIds = [] } = accepted ?? {};
  return html`<div id="passkey-signals" hidden data-rp-id="${rpId}" data-unknown-credentials="${removed.join(" ")}" data-users="${userHandles.join(" ")}" data-accepted-credentials="${credentialIds.join(" ")}"></div>`;
}

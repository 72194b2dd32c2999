// A virtual authenticator for a tab of Chromium.

import type { Page } from "playwright-core";
import type { SoftPasskey } from "../support/authenticator.ts";

export interface PluggedIn {
  /** Whether its user confirms from now on. */
  confirm(verifies: boolean): Promise<void>;
  countPasskeys(): Promise<number>;
  removePasskeys(): Promise<void>;
}

/** An authenticator that is plugged into this tab, with this passkey; `verifies` tells if its user is there. */
export async function plugIn(
  page: Page,
  passkey: SoftPasskey | null,
  verifies = true,
): Promise<PluggedIn> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: verifies },
      automaticPresenceSimulation: true,
    },
  });
  const pluggedIn: PluggedIn = {
    async confirm(isUserVerified) {
      await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    async countPasskeys() {
      const held = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
      return held.credentials.length;
    },
    async removePasskeys() {
      await devtools.send("WebAuthn.clearCredentials", { authenticatorId });
    },
  };
  if (passkey === null) return pluggedIn;
  const base64 = (text: string) => Buffer.from(text, "base64url").toString("base64");
  await devtools.send("WebAuthn.addCredential", {
    authenticatorId,
    credential: {
      credentialId: base64(passkey.credentialId),
      isResidentCredential: true,
      rpId: "localhost",
      privateKey: passkey.key.export({ type: "pkcs8", format: "der" }).toString("base64"),
      userHandle: base64(passkey.userHandle),
      signCount: passkey.counter,
    },
  });
  return pluggedIn;
}

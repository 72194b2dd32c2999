// The form of the account page that renames a passkey.

import type { Control } from "../account/control.ts";
import type { HttpResponse } from "../http/message.ts";
import { seeOther } from "../http/responses.ts";
import { PageError } from "../interaction/pending-request.ts";
import { MAX_PASSKEY_NAME } from "../pages/account-entries.ts";
import type { PasskeyStore } from "../store/passkeys.ts";
import type { Events } from "../telemetry/events.ts";
import { type AccountContext, accountPath } from "./account-session.ts";

interface Deps {
  readonly passkeys: PasskeyStore;
  readonly control: Control;
  readonly events: Events;
}

export function createRenaming({ passkeys, control, events }: Deps) {
  return { renamePasskey };

  /**
   * POST /account/rename-passkey with `passkey`, its thumbprint, and `name`. A session is enough, because nobody
   * gains anything, but only while the record names the account.
   */
  async function renamePasskey({ own, fields }: AccountContext): Promise<HttpResponse> {
    const { id: accountId, domain } = own.account;
    const back = seeOther(accountPath(own));
    if ((await control.check(own.account)).control !== "held") return back;
    const name = cleaned(fields.get("name") ?? "");
    const thumbprint = fields.get("passkey");
    if (thumbprint === undefined) throw new PageError(400, "malformedRequest");
    const passkey = (await passkeys.passkeysOf(accountId)).find(
      (one) => one.thumbprint === thumbprint,
    );
    // It was removed in another tab, or the name has no visible character: the page shows what there is.
    if (passkey === undefined || name === "") return back;
    if (name !== passkey.name && (await passkeys.renamePasskey(passkey, name)) === "renamed") {
      events.passkeyRenamed({ accountId, domain, name });
    }
    return back;
  }
}

/** Without invisible characters, which could make one name look like another. */
function cleaned(text: string): string {
  const visible = text.normalize("NFC").replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\s]+/gu, " ");
  return [...visible.trim()].slice(0, MAX_PASSKEY_NAME).join("").trim();
}

// Recovery codes: ten per account, derived for the page and stored only as hashes.

import type { Cookies } from "../http/cookies.ts";
import type { InteractionContext } from "../interaction/interaction.ts";
import { formField, PageError } from "../interaction/pending-request.ts";
import type { CookieSeal } from "../keys/cookie-seal.ts";
import { sha256 } from "../lib/random.ts";
import { fingerprintOf } from "../pages/recovery-codes.ts";
import type { RecoveryCodeStore } from "../store/code-sets.ts";
import type { AccountChanges } from "./account-change.ts";
import { recoveryCodeHash } from "./recovery-code-entry.ts";
import { derived } from "./set-up/set-up.ts";

const CODE_COUNT = 10;
/** Without i, l, o and u, which are easily misread or form words. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

export type NewRecoveryCodes = ReturnType<typeof createNewRecoveryCodes>;

export function createNewRecoveryCodes({
  cookies,
  setUpSeal,
  recoveryCodes,
  accountChanges,
}: {
  readonly cookies: Cookies;
  readonly setUpSeal: CookieSeal;
  readonly recoveryCodes: RecoveryCodeStore;
  readonly accountChanges: AccountChanges;
}) {
  /** The same at each load, derived from our key and from a cookie that the database lacks. */
  function codesFor({ http, interaction: { id, createdAt } }: InteractionContext): string[] {
    const browser = cookies.read(http, "browser");
    return recoveryCodesOf(setUpSeal.mac(`new codes ${id} ${browser}`, createdAt));
  }

  /**
   * The codes to save. Throws `PageError` if the page showed other codes because a key was ended since: the person has
   * written down codes that would never work.
   */
  async function shownCodesOf(open: InteractionContext): Promise<string[]> {
    const codes = codesFor(open);
    const shown = await formField(open.http, "shown", open.request);
    // A page of an earlier version does not say which codes it showed.
    if (shown === "" || shown === fingerprintOf(codes)) return codes;
    throw new PageError(400, "expired", open.request);
  }

  return {
    codesFor,
    /**
     * Replaces the set `from`. The new set has the same name if the response was lost and the codes are saved again.
     * Throws `PageError` if other codes were saved since, which must stay valid.
     */
    async save(
      open: InteractionContext,
      { accountId, from }: { readonly accountId: string; readonly from: string | null },
    ): Promise<void> {
      const { id } = open.interaction;
      const renewed = await recoveryCodes.renewRecoveryCodes({
        ...{ accountId, from, to: sha256(`code set ${id}`) },
        codeHashes: (await shownCodesOf(open)).map(recoveryCodeHash),
      });
      if (renewed === "stale") throw new PageError(400, "expired", open.request);
      await accountChanges.endOtherChanges(id, accountId);
    },
  };
}

/** The codes of a set-up, by its seed: a reload shows the same codes although they are not stored. */
export function recoveryCodesOf(seed: string): string[] {
  return Array.from({ length: CODE_COUNT }, (_, index) =>
    spell(derived(seed, `recovery code ${index}`)),
  );
}

/** 80 bits as 16 characters, in groups of four. */
function spell(mac: Buffer): string {
  let bits = mac.readBigUInt64BE(0) * 2n ** 16n + BigInt(mac.readUInt16BE(8));
  let text = "";
  for (let index = 0; index < 16; index++) {
    text = ALPHABET.charAt(Number(bits % 32n)) + text;
    bits /= 32n;
  }
  return (text.match(/.{4}/g) ?? []).join("-");
}

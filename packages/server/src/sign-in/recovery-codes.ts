// Recovery codes: ten per account, derived for the page and stored only as hashes; attempts are limited.

import { addressKey } from "../http/client-address.ts";
import type { InteractionContext } from "../interaction/interaction.ts";
import { formField, PageError } from "../interaction/pending-request.ts";
import { sha256 } from "../lib/random.ts";
import { fingerprintOf } from "../pages/recovery-codes.ts";
import type { Deps } from "./deps.ts";
import { derived } from "./set-up/set-up.ts";

const CODE_COUNT = 10;
/** Without i, l, o and u, which are easily misread or form words. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

const ATTEMPTS_WINDOW_S = 900;
/** A client can invent browsers but not addresses; addresses can be shared. Accounts are never locked. */
const MAX_PER_BROWSER = 30;
const MAX_PER_ADDRESS = 100;

/**
 * New codes that an interaction offers, the same at each load. Only the service can derive them, and only with the
 * cookie of this browser, of which the database has the hash.
 */
export function newCodesOf(
  { http, interaction: { id, createdAt } }: InteractionContext,
  { cookies, setUpSeal }: Pick<Deps, "cookies" | "setUpSeal">,
): string[] {
  const browser = cookies.read(http, "browser");
  return recoveryCodesOf(setUpSeal.mac(`new codes ${id} ${browser}`, createdAt));
}

/**
 * The new codes that are to be saved. Throws `PageError` if the page showed others: they are derived with a key that
 * was ended since, and the person has written down codes that would never work.
 */
export async function shownCodesOf(
  open: InteractionContext,
  deps: Pick<Deps, "cookies" | "setUpSeal">,
): Promise<string[]> {
  const codes = newCodesOf(open, deps);
  const shown = await formField(open.http, "shown", open.request);
  // A page of an earlier version does not say which codes it showed.
  if (shown === "" || shown === fingerprintOf(codes)) return codes;
  throw new PageError(400, "expired", open.request);
}

/** The name of the set that an interaction offers: the same if the answer got lost and it is saved again. */
export function newCodeSet({ interaction: { id } }: InteractionContext): string {
  return sha256(`code set ${id}`);
}

/** The codes of a set-up, by its seed: a reload shows the same codes although they are not stored. */
export function recoveryCodesOf(seed: string): string[] {
  return Array.from({ length: CODE_COUNT }, (_, index) =>
    spell(derived(seed, `recovery code ${index}`)),
  );
}

/**
 * The hash that is stored. Ignores case, spaces and hyphens, and reads i, l and o as the digits that they
 * look like.
 */
export function recoveryCodeHash(typed: string): string {
  const letters = typed.toLowerCase().replace(/[^0-9a-z]/g, "");
  return sha256(letters.replaceAll("o", "0").replace(/[il]/g, "1"));
}

/** 128 bits as 26 characters, in groups of five or six. */
function spell(mac: Buffer): string {
  let bits = mac.readBigUInt64BE(0) * 2n ** 64n + mac.readBigUInt64BE(8);
  let text = "";
  for (let index = 0; index < 26; index++) {
    text = ALPHABET.charAt(Number(bits % 32n)) + text;
    bits /= 32n;
  }
  return (text.match(/.{5}(?=.{5})|.+/g) ?? []).join("-");
}

/** Counts one attempt to enter a code, for all nodes together: 0 if it is allowed, else the seconds to wait. */
export async function countAttempt(
  { http, interaction }: InteractionContext,
  { attempts, clock }: Pick<Deps, "attempts" | "clock">,
): Promise<number> {
  const now = clock.seconds();
  const windowSeconds = ATTEMPTS_WINDOW_S;
  const address = addressKey(http.clientAddress);
  const limits = [
    { name: `recovery, browser ${interaction.browserHash}`, max: MAX_PER_BROWSER },
    ...(address === null ? [] : [{ name: `recovery, address ${address}`, max: MAX_PER_ADDRESS }]),
  ];
  let wait = 0;
  for (const { name, max } of limits) {
    const { count, expiresAt } = await attempts.countAttempt({ name, windowSeconds, now });
    if (count > max) wait = Math.max(wait, 1, expiresAt - now);
  }
  return wait;
}

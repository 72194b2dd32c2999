// Entering a recovery code: how it is read and checked, and how attempts are limited.

import { addressKey } from "../http/client-address.ts";
import type { InteractionContext } from "../interaction/interaction.ts";
import { formField, pagesFor } from "../interaction/pending-request.ts";
import type { Clock } from "../lib/clock.ts";
import { sha256 } from "../lib/random.ts";
import type { AttemptStore } from "../store/attempts.ts";

const ATTEMPTS_WINDOW_S = 900;
/** A client can invent browsers but not addresses; addresses can be shared. Accounts are never locked. */
const MAX_PER_BROWSER = 30;
const MAX_PER_ADDRESS = 100;
const MAX_TYPED_CHARS = 100;

/** Why a code was refused, as the page of its form shows it. */
export interface RefusedCode {
  readonly status: number;
  readonly typed: string;
  readonly problem: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type RecoveryCodeEntry = ReturnType<typeof createRecoveryCodeEntry>;

export function createRecoveryCodeEntry({
  attempts,
  clock,
}: {
  readonly attempts: AttemptStore;
  readonly clock: Clock;
}) {
  /** Counts one attempt to enter a code, for all nodes together: 0 if it is allowed, else the seconds to wait. */
  async function countAttempt({ http, interaction }: InteractionContext): Promise<number> {
    const now = clock.seconds();
    const limits = [
      { name: `recovery, browser ${interaction.browserHash}`, max: MAX_PER_BROWSER },
      { name: `recovery, address ${addressKey(http.clientAddress)}`, max: MAX_PER_ADDRESS },
    ];
    let wait = 0;
    for (const { name, max } of limits) {
      const attempt = { name, windowSeconds: ATTEMPTS_WINDOW_S, now };
      const { count, expiresAt } = await attempts.countAttempt(attempt);
      if (count > max) wait = Math.max(wait, 1, expiresAt - now);
    }
    return wait;
  }

  /** Reads the code in the field `recovery_code`: its hash if `isValid` accepts that. The code is not used up. */
  return async (
    open: InteractionContext,
    isValid: (hash: string) => Promise<boolean>,
  ): Promise<string | RefusedCode> => {
    const { http, request } = open;
    const field = await formField(http, "recovery_code", request);
    const typed = field.trim().slice(0, MAX_TYPED_CHARS);
    const { t } = pagesFor(http, request);
    if (typed === "") {
      return { status: 400, typed, problem: t("recoveryProblems-missing"), headers: {} };
    }
    const wait = await countAttempt(open);
    if (wait > 0) {
      const headers = { "retry-after": String(wait) };
      return { status: 429, typed, problem: t("recoveryProblems-tooMany"), headers };
    }
    const hash = recoveryCodeHash(typed);
    if (await isValid(hash)) return hash;
    return { status: 400, typed, problem: t("recoveryProblems-wrong"), headers: {} };
  };
}

/** Ignores case, spaces and hyphens, and reads i, l and o as the digits that they look like. */
export function recoveryCodeHash(typed: string): string {
  const letters = typed.toLowerCase().replace(/[^0-9a-z]/g, "");
  return sha256(letters.replaceAll("o", "0").replace(/[il]/g, "1"));
}

// The delivery of an answer to a token request: if this service fails at it, the grant is marked, so that the client can
// have the answer once more.

import { addressKey } from "../http/client-address.ts";
import type { HttpRequest } from "../http/message.ts";
import type { MacKeyring } from "../keys/keyring.ts";
import { createCache } from "../lib/cache.ts";
import { systemClock } from "../lib/clock.ts";
import { NotBegunError, UnknownOutcomeError } from "../lib/errors.ts";
import { macWith } from "../lib/hmac.ts";
import { randomText, systemRandom } from "../lib/random.ts";
import type { Grant, PresentedCode, PresentedRefreshToken } from "../store/grant-row.ts";
import type { AuthenticatedClient } from "./client-authentication.ts";
import type { Deps } from "./deps.ts";

export interface Delivery {
  /** Identifies the change that this request makes. The row of the grant keeps it. */
  readonly attempt: string;
  /** Notes what the request presents, before the grant is changed. */
  begin(presented: PresentedCode | PresentedRefreshToken): void;
  /** Marks the grant, because the client did not get the answer. `error` is why there was none, if there was none. */
  failed(error?: unknown): void;
  /** Whether the last change of the grant came from another network. False if either network is not known. */
  isFromElsewhere(grant: Pick<Grant, "attempt" | "rotatedAt" | "redeliveredAt">): boolean;
}

/** `now` in epoch seconds is when the request came. */
export function createDelivery(
  { client, isProven }: AuthenticatedClient,
  { clientAddress }: Pick<HttpRequest, "clientAddress">,
  { grants, keyring, clock }: Pick<Deps, "grants" | "keyring" | "clock">,
): Delivery {
  const now = clock.seconds();
  const attempt = randomText(systemRandom, 16) + networkTag(keyring, clientAddress, now);
  let presented: PresentedCode | PresentedRefreshToken | null = null;
  return {
    attempt,
    begin(of) {
      presented = of;
    },
    failed(error) {
      if (presented === null) return;
      const isCode = "redirectUri" in presented;
      // An authenticated client can repeat a refresh anyway, and a code that was not redeemed can still be.
      if (isCode ? error instanceof NotBegunError : isProven) return;
      grants.markUndelivered({
        presented,
        isUnknown: error instanceof UnknownOutcomeError,
        // A retry that came in time keeps its right to the answer.
        changedSince: isCode ? null : now - client.refresh_retry_window,
      });
    },
    isFromElsewhere(grant) {
      const [, tag = ""] = (grant.attempt ?? "").split(TAG_MARK);
      const changedAt = grant.redeliveredAt ?? grant.rotatedAt ?? 0;
      const own = networkTag(keyring, clientAddress, changedAt);
      return tag !== "" && own !== "" && TAG_MARK + tag !== own;
    },
  };
}

/** Not in base64url. */
const TAG_MARK = ".";
/** 48 bits. */
const TAG_OCTETS = 6;
const tags = createCache<string>({ clock: systemClock, maxEntries: 1000 });

/**
 * Recognizes a network, but does not show it: a MAC by the key that was current at `at`. Empty if the network is not
 * known. No token begins with `dsn_`, so that no tag is the MAC of a token.
 */
function networkTag(keyring: MacKeyring, clientAddress: string, at: number): string {
  const key = keyring.currentAt("grant-token", at);
  const cached = `${key.id} ${clientAddress}`;
  const known = tags.get(cached);
  if (known !== undefined) return known;
  const network = addressKey(clientAddress);
  const octets = Buffer.from(`dsn_${network}`);
  const mac = macWith(key.key)(octets, octets.length).subarray(0, TAG_OCTETS);
  const tag = network === null ? "" : TAG_MARK + mac.toString("base64url");
  tags.set(cached, tag);
  return tag;
}

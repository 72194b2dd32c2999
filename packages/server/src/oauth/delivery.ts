// The delivery of a token response. If this service fails to deliver it, a mark lets the client have it once more.

import { addressKey, SHARED_KEY } from "../http/client-address.ts";
import type { HttpRequest } from "../http/message.ts";
import type { MacKeyring } from "../keys/keyring.ts";
import { createCache } from "../lib/cache.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import {
  ContendedError,
  MarkOwedError,
  UncertainTimeError,
  UnknownOutcomeError,
} from "../lib/errors.ts";
import { macWith } from "../lib/hmac.ts";
import { randomText, systemRandom } from "../lib/random.ts";
import type { Grant, PresentedCode, PresentedRefreshToken } from "../store/grant-row.ts";
import type { GrantStore } from "../store/grants.ts";
import type { AuthenticatedClient } from "./client-authentication.ts";

/** A client that hangs up sooner gets no free retry: otherwise a thief could hang up to get one. */
const LATE_MS = 2000;

/** A retry that comes later than this after the answer is reported. */
export const LATE_RETRY_S = 30;

/** Separates an attempt from the tag of its network. Not a character of base64url. */
const TAG_MARK = ".";
/** 48 bits. */
const TAG_OCTETS = 6;
const MAX_TAGS = 1000;

const NOT_OF_THIS_REQUEST = [ContendedError, MarkOwedError, UncertainTimeError];

interface Deps {
  readonly grants: GrantStore;
  readonly keyring: MacKeyring;
  readonly clock: Clock;
}

export type Deliveries = ReturnType<typeof createDeliveries>;
export type Delivery = ReturnType<Deliveries>;

export function createDeliveries({ grants, keyring, clock }: Deps) {
  const tags = createCache<string>({ clock: systemClock, maxEntries: MAX_TAGS });
  return deliveryTo;

  function deliveryTo({ client, isProven }: AuthenticatedClient, { clientAddress }: HttpRequest) {
    const requestedAt = clock.seconds();
    const { refresh_retry_window: retryWindow } = client;
    const attempt = randomText(systemRandom, 16) + networkTag(clientAddress, requestedAt);
    let presented: PresentedCode | PresentedRefreshToken | null = null;
    let begunAt: number | null = null;

    function mark(error?: unknown): void {
      if (presented === null) return;
      const isCode = "redirectUri" in presented;
      // None is a failure of this request, and a thief can cause each: by many requests at once, by a request that
      // follows one without its mark, and by a token whose time is uncertain.
      if (NOT_OF_THIS_REQUEST.some((kind) => error instanceof kind)) return;
      // An unredeemed code stays valid, and an authenticated client may repeat a refresh anyway.
      if (isCode ? begunAt === null : isProven && retryWindow > 0) return;
      const isRepeatable = !isCode && retryWindow > 0;
      grants.markUndelivered({
        presented,
        isBegun: begunAt !== null,
        isUnknown: error instanceof UnknownOutcomeError,
        // A retry that came in time keeps its right to the answer.
        changedSince: isRepeatable ? requestedAt - retryWindow : null,
      });
    }

    return {
      /** Identifies the change that this request makes. The row of the grant keeps it. */
      attempt,
      /** Notes what the request presents, before the grant is read from the database. */
      begin(token: PresentedCode | PresentedRefreshToken): void {
        presented = token;
      },
      /** Notes when the database was asked to change the grant: see `Attempted`. */
      whenBegun(): void {
        begunAt ??= performance.now();
      },
      /** Marks the grant, because this error replaced the answer. */
      failed: mark,
      /** Marks the grant if the client left, at this time of `performance.now()`, because the change took too long. */
      hungUp(leftAt: number): void {
        if (begunAt !== null && leftAt - begunAt > LATE_MS) mark();
      },
      /** Whether the last change of the grant came from another network. False if either network is not known. */
      isFromElsewhere(grant: Grant): boolean {
        const [, tag = ""] = (grant.attempt ?? "").split(TAG_MARK);
        const changedAt = grant.redeliveredAt ?? grant.rotatedAt ?? 0;
        const own = networkTag(clientAddress, changedAt);
        return tag !== "" && own !== "" && TAG_MARK + tag !== own;
      },
    };
  }

  /**
   * Recognizes a network, but does not show it: a MAC by the key that was current at `at`. Empty if the network is not
   * known. No token begins with `dsn_`, so that no tag is the MAC of a token.
   */
  function networkTag(clientAddress: string, at: number): string {
    const key = keyring.currentAt("grant-token", at);
    const cached = `${key.id} ${clientAddress}`;
    const known = tags.get(cached);
    if (known !== undefined) return known;
    const network = addressKey(clientAddress);
    const octets = Buffer.from(`dsn_${network}`);
    const mac = macWith(key.key)(octets, octets.length).subarray(0, TAG_OCTETS);
    const tag = network === SHARED_KEY ? "" : TAG_MARK + mac.toString("base64url");
    tags.set(cached, tag);
    return tag;
  }
}

// The proof that a page of this service offered a session to this browser, for one authorization request.
//
// A `Continue` that needs no further page is answered with a code at once, without a row that only this browser can
// use. So the form carries this proof: another site can neither read it nor make it.

import type { CookieSeal } from "../keys/cookie-seal.ts";
import type { Clock } from "../lib/clock.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import { sha256, timeOrderedIdOf } from "../lib/random.ts";

/** For how many seconds a page can lead to a code at once. */
const FRESH_S = 600;
/** A page that was left open for longer shows itself again. */
const LIFETIME_S = 86_400;
/** Of milliseconds since 1970. */
const TIME_OCTETS = 6;

/** To whom a page offers something. */
export interface Asked {
  /** The browser's cookie. */
  readonly browser: string;
  /** The query of the authorization request. */
  readonly query: string;
}

export interface Continued {
  /** The session of one account in this browser. */
  readonly sid: string;
  /** Whether the page is so new that no other step is needed. */
  readonly isFresh: boolean;
  /** The same for each use of one proof, and for no other: a double click gets one grant. */
  readonly grantId: string;
}

interface Deps {
  readonly continueSeal: CookieSeal;
  readonly continuedGrantSeal: { readonly mac: CookieSeal["mac"] };
  readonly clock: Clock;
}

export type ContinueProofs = ReturnType<typeof createContinueProofs>;

export function createContinueProofs({ continueSeal, continuedGrantSeal, clock }: Deps) {
  const labelOf = ({ browser, query }: Asked) => `${browser} ${sha256(query)}`;
  return {
    /** Base64url, of about 60 characters. */
    make(sid: string, asked: Asked): string {
      const time = Buffer.alloc(TIME_OCTETS);
      time.writeUIntBE(clock.milliseconds(), 0, TIME_OCTETS);
      return continueSeal.sign(labelOf(asked), Buffer.concat([time, Buffer.from(sid)]));
    },

    /** Without the store. Null if this service did not offer a session to this browser, or only long ago. */
    async read(proof: string, asked: Asked): Promise<Continued | null> {
      const content = await continueSeal.verified(labelOf(asked), proof);
      if (content === null) return null;
      const madeAt = content.readUIntBE(0, TIME_OCTETS);
      const sid = content.toString("latin1", TIME_OCTETS);
      const age = clock.seconds() - Math.floor(madeAt / 1000);
      if (age > LIFETIME_S || age < -CLOCK_TOLERANCE_S) return null;
      const mac = continuedGrantSeal.mac(proof, Math.floor(madeAt / 1000));
      const grantId = timeOrderedIdOf(madeAt, Buffer.from(mac, "base64url"));
      return { sid, isFresh: age <= FRESH_S, grantId };
    },
  };
}

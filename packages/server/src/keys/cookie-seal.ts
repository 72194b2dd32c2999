// Seals what a browser keeps for this service, and only this service reads.

import { createHmac, hkdfSync } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { MacKeyring } from "./keyring.ts";
import { sealWithKey } from "./seal.ts";

export type CookieSeal = ReturnType<typeof createCookieSeal>;

/**
 * AES-256-GCM with a key that is derived for `purpose` from the current MAC key. What was sealed before a
 * rotation stays readable, because MAC keys are kept.
 */
export function createCookieSeal(
  purpose: string,
  { keyring, clock, random }: { keyring: MacKeyring; clock: Clock; random: Random },
) {
  const derived = new WeakMap<Buffer, Buffer>();
  function keyFrom(key: Buffer): Buffer {
    const known = derived.get(key) ?? Buffer.from(hkdfSync("sha256", key, "", purpose, 32));
    derived.set(key, known);
    return known;
  }
  return {
    /** A MAC of the label, in base64url, by the key that was current at `at` (epoch seconds). */
    mac(label: string, at: number): string {
      const key = keyFrom(keyring.currentAt("grant-token", at).key);
      return createHmac("sha256", key).update(label).digest("base64url");
    },
    /** Base64url of the id of the key and what is sealed. It opens only with the same label. */
    close(label: string, plain: Buffer): string {
      const { id, key } = keyring.currentAt("grant-token", clock.seconds());
      const sealed = sealWithKey(keyFrom(key), random).close(label, plain);
      return Buffer.concat([Buffer.of(id), Buffer.from(sealed, "base64url")]).toString("base64url");
    },
    /** Null if it was not sealed here for this label. Rejects with `UnavailableError` if the keys cannot be read. */
    async open(label: string, text: string): Promise<Buffer | null> {
      const octets = Buffer.from(text, "base64url");
      const found = await keyring.find("grant-token", octets[0] ?? 0);
      if (found === null) return null;
      const sealed = octets.subarray(1).toString("base64url");
      return sealWithKey(keyFrom(found.key), random).open(label, sealed);
    },
  };
}

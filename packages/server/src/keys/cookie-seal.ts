// Seals or signs what a browser keeps for this service.

import { hkdfSync, timingSafeEqual } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import { macWith } from "../lib/hmac.ts";
import type { Random } from "../lib/random.ts";
import type { MacKeyring } from "./keyring.ts";
import { closeWith, openWith } from "./seal.ts";

export type CookieSeal = ReturnType<typeof createCookieSeal>;

/** The length of a MAC: as long as a tag of AES-GCM. */
const TAG_OCTETS = 16;

/** AES-256-GCM and HMAC-SHA-256, by keys for `purpose` from MAC keys, which a rotation keeps. */
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
  /** The next call overwrites the result. */
  function macOf(message: Buffer, key: Buffer): Buffer {
    return macWith(keyFrom(key))(message, message.length);
  }
  return {
    /** A MAC of the label, in base64url, by the key that was current at `at` (epoch seconds). */
    mac: (label: string, at: number): string =>
      macOf(Buffer.from(label), keyring.currentAt("grant-token", at).key).toString("base64url"),
    /** Base64url of the id of the key, a MAC and the content. Anybody can read the content. Cheaper than `close`. */
    sign(label: string, content: Buffer): string {
      const { id, key } = keyring.currentAt("grant-token", clock.seconds());
      const mac = macOf(messageOf(label, content), key).subarray(0, TAG_OCTETS);
      return Buffer.concat([Buffer.of(id), mac, content]).toString("base64url");
    },
    /** The content; null if it was not signed here for this label, or is spelled otherwise. Rejects as `open` does. */
    async verified(label: string, signed: string): Promise<Buffer | null> {
      const octets = Buffer.from(signed, "base64url");
      // The decoder skips other characters and surplus bits.
      if (octets.toString("base64url") !== signed) return null;
      const mac = octets.subarray(1, 1 + TAG_OCTETS);
      if (mac.length < TAG_OCTETS) return null;
      const found = await keyring.find("grant-token", octets.readUInt8());
      if (found === null) return null;
      const content = octets.subarray(1 + TAG_OCTETS);
      const own = macOf(messageOf(label, content), found.key).subarray(0, TAG_OCTETS);
      return timingSafeEqual(own, mac) ? content : null;
    },
    /** Base64url of the id of the key and what is sealed. It opens only with the same label. */
    close(label: string, plain: Buffer): string {
      const { id, key } = keyring.currentAt("grant-token", clock.seconds());
      const sealed = closeWith(keyFrom(key), label, plain, random);
      return Buffer.concat([Buffer.of(id), Buffer.from(sealed, "base64url")]).toString("base64url");
    },
    /** Null if it was not sealed here for this label. Rejects with `UnavailableError` if the keys cannot be read. */
    async open(label: string, text: string): Promise<Buffer | null> {
      const octets = Buffer.from(text, "base64url");
      const found = await keyring.find("grant-token", octets[0] ?? 0);
      if (found === null) return null;
      return openWith(keyFrom(found.key), label, octets.subarray(1).toString("base64url"));
    },
  };
}

/** Contains the length of the content, so that no other label and content have the same message. */
function messageOf(label: string, content: Buffer): Buffer {
  const start = Buffer.from(`signed ${content.length} `);
  return Buffer.concat([start, content, Buffer.from(` ${label}`)]);
}

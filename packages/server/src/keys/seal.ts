// Encrypts keys with the operator's secret, so that a copy of the database alone does not reveal them.

import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "../lib/random.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BODY_START = NONCE_BYTES + TAG_BYTES;

export interface Opened {
  readonly plain: Buffer;
  /** Only the previous secret opens it. */
  readonly isPrevious: boolean;
}

export type Seal = ReturnType<typeof sealWith>;

/** Seals with `secret`; can also open what was sealed with `previousSecret`. */
export function sealWith(secret: string, random: Random, previousSecret?: string) {
  const key = keyFrom(secret);
  const previous = previousSecret === undefined ? null : keyFrom(previousSecret);
  return {
    /** AES-256-GCM, bound to `label`; base64url of nonce, tag and ciphertext. */
    close: (label: string, plain: Buffer) => closeWith(key, label, plain, random),
    /** Null if it was sealed with a label or secret other than the current and the previous secret. */
    open(label: string, sealed: string): Opened | null {
      const plain = openWith(key, label, sealed);
      if (plain !== null) return { plain, isPrevious: false };
      const old = previous && openWith(previous, label, sealed);
      return old && { plain: old, isPrevious: true };
    },
    hasPrevious: previous !== null,
  };
}

/** Seals with the 32 octets of `key`. */
export function closeWith(key: Buffer, label: string, plain: Buffer, random: Random): string {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(label));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "domain-signin key seal v1", 32));
}

/** Null if it was sealed with another key or label. */
export function openWith(key: Buffer, label: string, sealed: string): Buffer | null {
  const octets = Buffer.from(sealed, "base64url");
  if (octets.length <= BODY_START) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, octets.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(label)).setAuthTag(octets.subarray(NONCE_BYTES, BODY_START));
  try {
    return Buffer.concat([decipher.update(octets.subarray(BODY_START)), decipher.final()]);
  } catch {
    return null;
  }
}

// Seals keys with the operator's secret, so that a copy of the database alone yields none.

import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";
import type { Random } from "../lib/random.ts";

const NONCE = 12;
const TAG = 16;

export interface Seal {
  /** AES-256-GCM, bound to `label`; base64url of nonce, tag and ciphertext. */
  close(label: string, plain: Buffer): string;
  /** The plain key, or null if the secret or the label is another one. */
  open(label: string, sealed: string): Buffer | null;
  /** The same with the previous secret; null too where there is none. */
  openPrevious(label: string, sealed: string): Buffer | null;
  /** Whether there is a previous secret. */
  readonly hasPrevious: boolean;
}

/** Seals with `secret`, and opens besides what `previousSecret` sealed. */
export function sealWith(secret: string, random: Random, previousSecret?: string): Seal {
  const key = keyFrom(secret);
  const previous = previousSecret === undefined ? null : keyFrom(previousSecret);
  return {
    close(label, plain) {
      const nonce = random(NONCE);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(label));
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    open: (label, sealed) => openWith(key, label, sealed),
    openPrevious: (label, sealed) => previous && openWith(previous, label, sealed),
    hasPrevious: previous !== null,
  };
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", "domain-signin key seal v1", 32));
}

function openWith(key: Buffer, label: string, sealed: string): Buffer | null {
  const octets = Buffer.from(sealed, "base64url");
  if (octets.length <= NONCE + TAG) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, octets.subarray(0, NONCE), {
    authTagLength: TAG,
  });
  decipher.setAAD(Buffer.from(label)).setAuthTag(octets.subarray(NONCE, NONCE + TAG));
  try {
    return Buffer.concat([decipher.update(octets.subarray(NONCE + TAG)), decipher.final()]);
  } catch {
    return null;
  }
}

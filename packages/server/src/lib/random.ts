// Unguessable values, and the hash with which they are stored.

import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";

/** Cryptographically strong random octets. */
export type Random = (octets: number) => Buffer;

export const systemRandom: Random = (octets) => randomBytes(octets);

/** A random value in base64url: unreserved characters only, so no encoding can change it. */
export function randomText(random: Random, octets: number): string {
  return random(octets).toString("base64url");
}

/** A client secret. It has 256 random bits, so that an unsalted SHA-256 hash of it can be stored. */
export function newSecret(random: Random): string {
  return `dss_${randomText(random, 32)}`;
}

/** 48 bits of milliseconds and 80 random bits in hex: unique, and sortable by time. */
export function timeOrderedId(clock: Clock, random: Random): string {
  return clock.milliseconds().toString(16).padStart(12, "0") + random(10).toString("hex");
}

/** SHA-256 in base64url. Enough for a random value of 128 bits or more; never use it for a password. */
export function sha256(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}

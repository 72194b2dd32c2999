// Unguessable values, and the hash with which they are stored.

import * as crypto from "node:crypto";
import type { Clock } from "./clock.ts";

export type Random = (octets: number) => Buffer;

const POOL_OCTETS = 8192;
let pool = Buffer.alloc(0);

/** From a pool, because to ask the system costs as much for eight octets as for thousands. */
export const systemRandom: Random = (octets) => {
  if (octets > POOL_OCTETS / 8) return crypto.randomBytes(octets);
  if (octets > pool.length) pool = crypto.randomBytes(POOL_OCTETS);
  const taken = pool.subarray(0, octets);
  pool = pool.subarray(octets);
  return taken;
};

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
  return timeOrderedIdOf(clock.milliseconds(), random(10));
}

/** The same of a time in milliseconds and at least 10 octets that nobody can guess. */
export function timeOrderedIdOf(milliseconds: number, octets: Buffer): string {
  return milliseconds.toString(16).padStart(12, "0") + octets.toString("hex", 0, 10);
}

/** SHA-256 in base64url. Enough for a random value of 128 bits or more; never use it for a password. */
export function sha256(value: string): string {
  return digest("sha256", value, "base64url");
}

/** The hash of a text; by default one character for each octet of it. */
export function digest(
  algorithm: "sha256" | "sha512",
  value: string,
  encoding: "base64url" | "binary" = "binary",
): string {
  // In one call, a third as expensive. Some runtimes do not have it.
  return (
    crypto.hash?.(algorithm, value, encoding) ??
    crypto.createHash(algorithm).update(value).digest(encoding)
  );
}

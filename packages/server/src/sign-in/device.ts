// The device: a browser that an account recognizes by a cookie, and the set-up that it has pending.

import type { HttpRequest } from "../http/message.ts";
import { randomText, sha256 } from "../lib/random.ts";
import type { Enrolment } from "../store/enrolments.ts";
import type { Deps } from "./deps.ts";

/** The record of a set-up must be found within this time. */
const ENROLMENT_LIFETIME_S = 86_400;

export interface Device {
  readonly secret: string;
  readonly hash: string;
  /** Sets or renews the cookie. */
  readonly cookie: string;
}

/** The device of the request's cookie, or null. */
export function knownDeviceOf(
  http: HttpRequest,
  { cookies }: Pick<Deps, "cookies">,
): Device | null {
  const secret = cookies.read(http, "device");
  if (secret === undefined) return null;
  return { secret, hash: sha256(secret), cookie: cookies.set("device", secret) };
}

/** The device of the request's cookie, or a new one. */
export function deviceOf(
  http: HttpRequest,
  { cookies, random }: Pick<Deps, "cookies" | "random">,
): Device {
  const secret = cookies.read(http, "device") ?? randomText(random, 32);
  return { secret, hash: sha256(secret), cookie: cookies.set("device", secret) };
}

/** The set-up that this browser has pending for the domain. */
export async function pendingEnrolment(
  http: HttpRequest,
  domain: string,
  deps: Pick<Deps, "enrolments" | "cookies" | "clock">,
): Promise<{ readonly device: Device; readonly enrolment: Enrolment } | null> {
  const device = knownDeviceOf(http, deps);
  if (device === null) return null;
  const now = deps.clock.seconds();
  const enrolment = await deps.enrolments.findEnrolment(domain, device.hash, now);
  return enrolment && { device, enrolment };
}

/** Begins a set-up for the domain, unless this browser has one pending. */
export async function beginEnrolment(
  domain: string,
  { hash: deviceHash }: Device,
  { enrolments, clock, random }: Pick<Deps, "enrolments" | "clock" | "random">,
): Promise<void> {
  const now = clock.seconds();
  const acct = randomText(random, 16);
  const accountId = `sub_${randomText(random, 16)}`;
  const recoverySalt = randomText(random, 16);
  const expiresAt = now + ENROLMENT_LIFETIME_S;
  const enrolment = { domain, deviceHash, acct, accountId, recoverySalt, expiresAt };
  await enrolments.beginEnrolment(enrolment, now);
}

// The device: a browser that an account recognizes by a cookie.

import type { HttpRequest } from "../http/message.ts";
import { randomText, sha256 } from "../lib/random.ts";
import type { Deps } from "./deps.ts";

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

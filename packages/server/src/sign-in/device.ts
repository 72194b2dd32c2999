// The device secret: a cookie by which an account recognizes a browser.

import type { Cookies } from "../http/cookies.ts";
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
  return secret === undefined ? null : deviceFrom(secret, cookies);
}

/** The device of the request's cookie, or a new one. */
export function deviceOf(
  http: HttpRequest,
  { cookies, random }: Pick<Deps, "cookies" | "random">,
): Device {
  return knownDeviceOf(http, { cookies }) ?? deviceFrom(randomText(random, 32), cookies);
}

function deviceFrom(secret: string, cookies: Cookies): Device {
  return { secret, hash: sha256(secret), cookie: cookies.set("device", secret) };
}

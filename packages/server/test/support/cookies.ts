// Cookies of tests, whose tags need no key.

import { type Cookies, cookiesOf } from "../../src/http/cookies.ts";
import { sha256 } from "../../src/lib/random.ts";

export function testCookies(issuer: string): Cookies {
  return cookiesOf(issuer, sha256);
}

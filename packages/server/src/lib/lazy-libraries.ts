// Libraries with large tables, loaded when they are first needed.
//
// `import` parses a CommonJS library twice, before the service can respond. Loading these three with
// `require` at the first sign-in made the start a third faster.

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Addresses and networks of IPv4 and IPv6. */
export function ipaddr(): typeof import("ipaddr.js") {
  // `require` takes a microsecond each time.
  loaded ??= require("ipaddr.js") as typeof import("ipaddr.js");
  return loaded;
}

let loaded: typeof import("ipaddr.js") | undefined;

/** Public suffixes. */
export const tldts = () => require("tldts") as typeof import("tldts");

/** Internationalised domain names (UTS #46). */
export const tr46 = () => require("tr46") as typeof import("tr46");

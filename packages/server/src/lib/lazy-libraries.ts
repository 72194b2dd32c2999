// Libraries with large tables, loaded when they are first needed.
//
// `import` reads a CommonJS library twice, the first time for the names that it exports, and all of
// it before the service can answer. By `require`, when the first person signs in, these three took a
// third off the time to start.

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Addresses and networks of IPv4 and IPv6. */
export const ipaddr = () => require("ipaddr.js") as typeof import("ipaddr.js");

/** Public suffixes. */
export const tldts = () => require("tldts") as typeof import("tldts");

/** Internationalised domain names (UTS #46). */
export const tr46 = () => require("tr46") as typeof import("tr46");

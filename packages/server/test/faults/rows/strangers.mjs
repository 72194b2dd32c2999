// Faults in what strangers may cost: storage, the share of pages, and who goes first.

import { conformance, inFile, src, testOf } from "../row-helpers.mjs";

export const STRANGER_FAULTS = [
  ...inFile(src("interaction/flow"), testOf("interaction/interaction"), {
    "what a sign-in stores is counted before it is stored": {
      find: "    storageLimit.take(http, { octets, lifetimeS: Math.min(lifetimeS, COUNTED_LIFETIME_S) });\n",
    },
  }),
  ...inFile(src("oauth/control-evidence"), testOf("oauth/control-evidence"), {
    "evidence is counted before it is stored": {
      find: "  storageLimit.take(http, { octets: body.length, lifetimeS: expiresAt - now });\n",
    },
  }),
  ...inFile(src("interaction/flow"), testOf("interaction/interaction"), {
    "a DNS challenge counts for an hour in what strangers store": {
      find: "Math.min(lifetimeS, COUNTED_LIFETIME_S)",
      replace: "lifetimeS",
    },
  }),
  ...inFile(src("oauth/error-channels"), testOf("oauth/error-channels"), {
    "the page of a flood says the true wait": {
      find: "minutes: Math.ceil(error.retryAfter / 60)",
      replace: "minutes: 1",
    },
  }),
  ...inFile(src("http/storage-limit"), testOf("http/storage-limit"), {
    "a row counts for as long as it is stored": { find: " * Math.max(1, lifetimeS / WINDOW_S)" },
    "the addresses of one customer are counted together": {
      find: '      if (network !== null) uses.push(["network", network]);\n',
    },
  }),
  ...inFile(src("interaction/kept-request"), testOf("interaction/kept-request"), {
    "a request from a cookie counts only if it is that of the row": {
      find: "(query !== null && hashOf(query) === ofRow)",
      replace: "query !== null",
    },
  }),
  ...inFile(src("oauth/authorization-request"), testOf("oauth/authorization-request"), {
    "parameters that are not read are not kept": {
      find: "for (const name of KEPT_PARAMETERS) {",
      replace: "for (const name of parameters.values.keys()) {",
    },
  }),
  ...inFile(src("oauth/client-authentication"), testOf("oauth/client-assertion"), {
    "the assertions of self-registered clients are counted before they are stored": {
      find: "    if (client.document) assertionLimit.take(",
      replace: "    if (!client.document) assertionLimit.take(",
    },
  }),
  ...inFile(src("oauth/token"), testOf("oauth/token"), {
    "a public client with a token that was issued here is not limited for others at its address": {
      find: "authenticated.isProven || (await isOurs(",
      replace: "authenticated.isProven && (await isOurs(",
    },
  }),
  ...inFile(src("store/clean-up"), conformance("clean-up"), {
    "the nonce of a code that nobody redeemed goes with its evidence": {
      find: '      if (table === "evidence") await sql.run(forgetNonces(removable), ...values);\n',
    },
  }),
  ...inFile(src("store/grant-changes"), conformance("grants"), {
    "the redemption removes the nonce": {
      find: "attempt = given.new_attempt, nonce = NULL,",
      replace: "attempt = given.new_attempt,",
    },
  }),
  ...inFile(src("store/grants"), conformance("revocation"), {
    "an interaction whose row is gone is no basis for a code": {
      find: "THEN 0 ELSE 1 END AS interaction_ended",
      replace: "THEN 0 ELSE 0 END AS interaction_ended",
    },
  }),
  ...inFile(src("http/fair-share"), testOf("http/fair-share"), {
    "returning browsers go first": {
      find: "(lanes.returning.shift() ?? lanes.strangers.shift())?.start();",
      replace: "(lanes.strangers.shift() ?? lanes.returning.shift())?.start();",
    },
    "in a lane, one request of each address in turn": {
      find: "      lines.delete(key);\n      if (line.length > 0) lines.set(key, line);\n      size--;",
      replace: "      if (line.length === 0) lines.delete(key);\n      size--;",
    },
    "a full lane takes from its longest line": {
      find: "if (size >= WAITING.lane && !makeRoom(line.length)) return false;",
      replace: "if (size >= WAITING.lane) return false;",
      title: "keep no quiet person out",
    },
    "of equally long lines, any may lose its request": {
      find: "if (random() * equals < 1) longest",
      replace: "if (equals === 1) longest",
      title: "of equally long lines",
    },
    "time in which the process did not run does not end a wait": {
      find: "const TICK_MS = 1000;",
      replace: "const TICK_MS = WAITING.ms;",
      title: "does not end a wait",
    },
  }),
  ...inFile(src("sessions/returning-browser"), testOf("sessions/returning-browser"), {
    "a returning browser proves it by a MAC": {
      find: "timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(since, label))) ? label : null",
      replace: "timingSafeEqual(Buffer.from(mac), Buffer.from(mac)) ? label : null",
    },
  }),
  ...inFile(src("lib/lines"), testOf("lib/lines"), {
    "requests for one row run one after another": {
      find: "if (line === undefined) {",
      replace: "if (line === undefined || line.waiting.size >= 0) {",
    },
  }),
];

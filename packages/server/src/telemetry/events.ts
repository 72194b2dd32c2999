// Events: everything that the service logs and counts, in one table.
//
// No event contains a secret. Labels of metrics have a limited set of values: no label contains a client,
// an account or a domain.

import { messageOf } from "../lib/errors.ts";
import { type EventSpec, type EventsOf, event, LOG_LEVELS, type LogLevel } from "./event-spec.ts";
import { type Dropped, type LogDestination, standardError } from "./log-sink.ts";
import type { OperatorChange } from "./operator-change.ts";

/** Methods with a label of their own. Clients can send any other method, which must not add a series. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Labels of refused requests: error codes of the protocol, or our own names. */
const REFUSALS = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unsupported_grant_type",
  "invalid_token",
  "insufficient_scope",
  "no token",
  "unsupported_response_type",
  "invalid_scope",
  "request_not_supported",
  "request_uri_not_supported",
  "registration_not_supported",
  "invalid_target",
  "invalid_redirect_uri",
  "invalid_client_metadata",
  "access_denied",
  "server_error",
  "temporarily_unavailable",
  "login_required",
  "account_selection_required",
  "consent_required",
  "interaction_required",
  "page",
  "untrusted request",
  "client document",
  "rate limit",
  "method",
];

/** Why DNS gave no answer for a domain that can be used. */
export interface UnusableAnswer {
  readonly domain: string;
  readonly reason: string;
  /** Epoch seconds of the next look, if the first one must be confirmed. */
  readonly againAt?: number | null;
  /** The error by which a resolver explained its failure (RFC 8914). */
  readonly extendedError?: object | undefined;
}

/** `what` is what gave way or was refused, and `largest` names the networks that hold most: never people or domains. */
export interface LimitReached {
  readonly budget: string;
  readonly what: string;
  readonly evicted: number;
  readonly refused: number;
  readonly held: number;
  readonly capacity: number;
  readonly largest: readonly string[];
}

const TIME_EVENTS = {
  /** The clock is "behind" the floor or "contradicted" by the root: the service does not use it. */
  clockUncertain: event<{ verdict: string; reason: string }>("error", {
    counter: {
      name: "domain_signin_clock_uncertain_total",
      help: "How often the clock was found behind the newest proven time, or contradicted by the DNS root.",
      labels: ["verdict"],
      zeros: ["behind", "contradicted"],
    },
  }),
  /** The newest signature of the DNS root is old, but the service goes on: its clock was right so far. */
  witnessOld: event<{ reason: string }>("error", {
    counter: {
      name: "domain_signin_witness_old_total",
      help: "How often the newest signature of the DNS root was older than it can be, at a node that goes on.",
    },
  }),
  /** No resolver has shown a signature of the DNS root since the start: nothing confirms the clock. */
  clockUnwitnessed: event("warn", {
    shown: () => ({
      hint: "the resolvers must pass on the signatures of DNSSEC, see Time in the docs",
    }),
  }),
  /** The signatures of the DNS root agree with the clock. */
  clockCertain: event("info"),
  /** The clock was read; `floorLag` is by how many seconds the newest time that is proven is behind it. */
  timeJudged: event<{ verdict: string; floorLag: number }>("none", {
    gauge: {
      name: "domain_signin_time_floor_lag_seconds",
      help: "By how much the newest proven time is behind the clock. Nothing is deleted before it.",
      of: "floorLag",
    },
  }),
  /** The DNS root was looked at; `unknownKeys` of its key-signing keys are no trust anchors. */
  rootSeen: event<{ unknownKeys: number }>("none", {
    gauge: {
      name: "domain_signin_root_keys_unknown",
      help: "Key-signing keys that the DNS root lists and that are no trust anchors: above 0, update the anchors.",
      of: "unknownKeys",
    },
  }),
  /** The DNS root lists keys that are no trust anchors. It will sign with them in some weeks. */
  rootKeyUnknown: event<{ keyTags: readonly number[] }>("warn", {
    shown: ({ keyTags }) => ({ keyTags, hint: "update domain-signin, or trust_anchors" }),
  }),
  /** The clock of this machine is `seconds` ahead of that of the database (negative: behind), which is used. */
  clockSkewed: event<{ seconds: number }>("error", {
    counter: {
      name: "domain_signin_clock_skewed_total",
      help: "How often the clock of this machine was found to differ from that of the database.",
    },
  }),
};

const EVENTS = {
  listening: event<{ issuer: string; port: number; managementPort?: number }>("info"),
  /** The process received a stop signal; `delay` is in seconds. */
  stopping: event<{ delay: number }>("info"),
  /** All requests were answered. */
  stopped: event("info"),
  ...TIME_EVENTS,
  /** The proxy is not in `trusted_proxies`: all people behind it share the limits of its address. */
  undeclaredProxy: event<{ address: string }>("warn", {
    shown: ({ address }) => ({
      address,
      hint: "if this is your proxy, add its address to trusted_proxies",
    }),
  }),
  /** A trusted proxy names no client, and a limit has refused one. */
  silentProxy: event<{ address: string }>("warn", {
    shown: ({ address }) => ({
      address,
      hint: "the proxy sends no X-Forwarded-For, so all people behind it share one limit",
    }),
  }),
  /** The command line contains a password. The fields do not. */
  passwordInArguments: event<{ option: string; hint: string }>("warn"),
  /** A request was answered; `route` is the pattern of the path, not the requested path. */
  answered: event<{ method: string; route: string; status: number; milliseconds: number }>("none", {
    counted: (fields) => ({
      ...fields,
      method: METHODS.has(fields.method) ? fields.method : "other",
    }),
    counter: {
      name: "domain_signin_http_requests_total",
      help: "Answered requests, by the pattern of the path.",
      labels: ["method", "route", "status"],
    },
    histogram: {
      name: "domain_signin_http_request_duration_seconds",
      help: "Time to process a request, without sending the response.",
      labels: ["route"],
    },
  }),
  /** DNS was queried for the SP record or the challenge record of a domain. */
  lookedUp: event<{ outcome: string; assurance: string; milliseconds: number }>("none", {
    counter: {
      name: "domain_signin_dns_lookups_total",
      help: "DNS lookups of records, by outcome and assurance.",
      labels: ["outcome", "assurance"],
    },
    histogram: {
      name: "domain_signin_dns_lookup_duration_seconds",
      help: "Duration of DNS lookups of records.",
    },
  }),
  /** A resolver does not answer, not even our own query; `reason` is "timeout" or an error code. */
  resolverUnreachable: event<{ resolver: string; reason: string }>("warn", {
    counter: {
      name: "domain_signin_resolver_unreachable_total",
      help: "How often a configured resolver became unreachable.",
      labels: ["resolver"],
    },
  }),
  resolverReachable: event<{ resolver: string }>("info"),
  /** A DNS answer for a domain was refused. The reason begins with a code of the verifier. */
  bogus: event<UnusableAnswer & { cause: string }>("warn"),
  /** The resolvers gave no answer for a domain, or they disagreed. */
  unavailable: event<UnusableAnswer>("info"),
  /** A request was refused. `reason` was sent to the client, `found` is only logged. No credentials. */
  refused: event<{
    errorId: string;
    path: string;
    error: string;
    reason: string;
    found?: string | undefined;
    clientId?: string | undefined;
  }>("info", {
    counter: {
      name: "domain_signin_refused_total",
      help: "Refused requests, by the error as logged.",
      labels: ["error"],
      zeros: REFUSALS,
    },
  }),
  failed: event<{ errorId?: string; path: string; cause: unknown }>("error", {
    shown: ({ cause, ...fields }) => ({
      ...fields,
      cause: cause instanceof Error ? cause.stack : String(cause),
    }),
    counter: {
      name: "domain_signin_failed_total",
      help: "Failures of the service or of a dependency.",
    },
  }),
  /** The mark file could not be written, so an older copy of the database may not be recognized. */
  markNotWritten: event<{ path: string; cause: unknown }>("error", {
    shown: ({ path, cause }) => ({ path, cause: messageOf(cause) }),
    counter: {
      name: "domain_signin_mark_failures_total",
      help: "Failures to write the mark file.",
    },
  }),
  /** A code or a refresh token was used a second time, and its grant was revoked. */
  replayed: event<{ clientId: string; accountId: string; token: "code" | "refresh_token" }>(
    "warn",
    {
      counter: {
        name: "domain_signin_replays_total",
        help: "Codes and refresh tokens used a second time, which revoked their grants.",
        labels: ["token"],
        zeros: ["code", "refresh_token"],
      },
    },
  ),
  /** A code or a refresh token was repeated more than 30 seconds after its answer was made, and got that answer. */
  retriedLate: event<{ clientId: string; accountId: string; token: "code" | "refresh_token" }>(
    "info",
    {
      counter: {
        name: "domain_signin_late_retries_total",
        help: "Codes and refresh tokens that were repeated later than 30 seconds and got their answer again.",
        labels: ["token"],
        zeros: ["code", "refresh_token"],
      },
    },
  ),
  /** As `retriedLate`, but from another network than before. The owner sees this in the history. */
  retriedElsewhere: event<{ clientId: string; accountId: string }>("warn"),
  /** The database has not taken a write, or answered a start, for `seconds`; `what` is what it waits for. */
  waiting: event<{ what: string; seconds: number }>("warn"),
  /** A token is newer than its grant in the store: the store has lost writes. */
  lostWrites: event<{ clientId: string; accountId: string }>("error", {
    counter: {
      name: "domain_signin_lost_writes_total",
      help: "Tokens that were newer than their grant in the store.",
    },
  }),
  /** A sign-in at an external SP failed; `sp` is its issuer. Contains no token, code or state. */
  spFailed: event<{ sp: string; kind: string; detail: string; errorId: string }>("warn", {
    counter: {
      name: "domain_signin_sp_failures_total",
      help: "Failed sign-ins at external service providers, by problem.",
      labels: ["kind"],
    },
  }),
  enrolled: event<{ accountId: string; domain: string; assurance: string }>("info", {
    counter: { name: "domain_signin_enrolments_total", help: "Created accounts." },
  }),
  /** An account ended, because no record has named it for 30 days. */
  ended: event<{ accountId: string; domain: string }>("info", {
    counter: { name: "domain_signin_accounts_ended_total", help: "Ended accounts." },
  }),
  /** The owner of an account deleted it. Not in its history, which is deleted too. */
  accountDeleted: event<{ accountId: string; domain: string }>("info"),
  /** A new record of the domain, or none, was found: the account sleeps `since` then, in epoch seconds. */
  recordLost: event<{ accountId: string; domain: string; since: number }>("info"),
  recordFound: event<{ accountId: string; domain: string }>("info"),
  recoveryCodeUsed: event<{ accountId: string; domain: string }>("info"),
  recoveryCodesRenewed: event<{ accountId: string; domain: string }>("info"),
  /** A browser became known to an account that exists already. */
  browserAdded: event<{ accountId: string; domain: string }>("info"),
  appAllowed: event<{ accountId: string; clientId: string; scope: string }>("info"),
  /** A client got a code for fewer scopes than it requested. `scope` names those that were not granted. */
  scopesIgnored: event<{ clientId: string; scope: string }>("info"),
  /** A client registered itself, or replaced or removed its registration. */
  clientRegistered: event<{ clientId: string; change: "registered" | "replaced" | "removed" }>(
    "info",
    {
      counter: {
        name: "domain_signin_registrations_total",
        help: "Registrations that clients made, replaced and removed themselves.",
        labels: ["change"],
        zeros: ["registered", "replaced", "removed"],
      },
    },
  ),
  /** An operator changed something with a command. `user` is the user of the operating system, if it is known. */
  operatorChange: event<OperatorChange & { readonly user: string | null }>("info"),
  passkeyAdded: event<{ accountId: string; domain: string; name: string }>("info"),
  /** A passkey of an account was removed, or got another name. */
  passkeyRemoved: event<{ accountId: string; domain: string; name: string }>("info"),
  passkeyRenamed: event<{ accountId: string; domain: string; name: string }>("info"),
  /** A registration or an assertion was refused. `problem` is "unknown" for a passkey that is not one of the account's. */
  passkeyRefused: event<{ domain: string; problem: string }>("info"),
  signedIn: event<{ accountId: string; domain: string; clientId: string; amr: string }>("info", {
    counter: {
      name: "domain_signin_sign_ins_total",
      help: "Sign-ins, by authentication method.",
      labels: ["amr"],
    },
  }),
  /** The owner of an account signed out: in this browser, in another one, or everywhere. */
  signedOut: event<{
    accountId: string;
    domain: string;
    where: "here" | "elsewhere" | "everywhere";
  }>("info"),
  /** A logout token was not accepted, or its app could not be reached. `pause` is in seconds. */
  logoutNotDelivered: event<{ clientId: string; attempt: number; problem: string; pause: number }>(
    "warn",
    {
      counter: {
        name: "domain_signin_logouts_not_delivered_total",
        help: "Logout tokens that an app did not accept.",
      },
    },
  ),
  /** A client had so many logout tokens waiting that the oldest were given up: `count` of them. */
  logoutsDropped: event<{ clientId: string; count: number }>("warn", {
    counter: {
      name: "domain_signin_logouts_dropped_total",
      help: "Logout tokens that were given up, because too many were waiting for one app.",
      by: "count",
    },
  }),
  /** The cookie of a finished set-up came from another browser: a copy, or another profile of the same person. */
  setUpReused: event<{ accountId: string; domain: string }>("warn"),
  /** The cookie of a DNS challenge came from somebody else after it was used: a copy, or another tab of the person. */
  challengeReused: event<{ accountId: string; domain: string }>("warn"),
  /** A copy of a session's secret was used after its successor, which ended the session. */
  sessionReused: event<{ accountId: string; domain: string }>("warn", {
    counter: {
      name: "domain_signin_sessions_reused_total",
      help: "Sessions that ended because a replaced secret was used.",
    },
  }),
  /** Something gave way to others at a limit, or was refused there, since the last such line of the limit. */
  limitReached: event<LimitReached>("warn"),
  appRevoked: event<{ accountId: string; domain: string; clientId: string }>("info"),
  logLinesDropped: event<Dropped>("warn"),
};

export type Events = EventsOf<typeof EVENTS>;
export type TimeEvents = EventsOf<typeof TIME_EVENTS>;

/** The types of any event, for loops over the table. */
export type AnyFields = Readonly<Record<string, unknown>>;
export type AnyEventSpec = EventSpec<AnyFields>;

/** Makes one function for each event from its row in the table. */
export function eachEvent(
  make: (name: keyof Events, spec: AnyEventSpec) => (fields: AnyFields) => void,
): Events {
  // The type checker cannot relate a row and its function in a loop over the names.
  const rows = Object.entries<unknown>(EVENTS) as [keyof Events, AnyEventSpec][];
  const made: unknown = Object.fromEntries(rows.map(([name, spec]) => [name, make(name, spec)]));
  return made as Events;
}

/** Events as JSON lines on standard error, or on `destination`. */
export function jsonEvents(
  destination: LogDestination = standardError(),
  lowest: LogLevel = "info",
): Events {
  return loggedEvents(destination, lowest, (level, fields, msg) => {
    const time = new Date().toISOString();
    destination.write(`${JSON.stringify({ level, time, ...fields, msg })}\n`);
  });
}

/** Passes each event of this level or a more important one to `log`, with its name in words. */
export function loggedEvents(
  destination: LogDestination,
  lowest: LogLevel,
  log: (level: LogLevel, fields: object, message: string) => void,
): Events {
  const logged: readonly string[] = LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(lowest) + 1);
  const events = eachEvent((name, { level, shown = (fields) => ({ ...fields }) }) => {
    if (level === "none" || !logged.includes(level)) return () => {};
    const message = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return (fields) => log(level, shown(fields), message);
  });
  destination.onRecovery?.(events.logLinesDropped);
  return events;
}

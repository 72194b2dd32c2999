// Events: everything that the service logs and counts, in one table.
//
// No event contains a secret. Labels of metrics have a limited set of values: no label contains a client,
// an account or a domain.

import { type DestinationStream, pino } from "pino";
import type { Assurance } from "../dns/assurance.ts";

/** How an event is logged and counted. */
export interface EventSpec<Fields> {
  /** The message of the log line, which also contains the fields. */
  readonly message: string;
  /** `none` for events that are too frequent for a log. */
  readonly level: "info" | "warn" | "error" | "none";
  /** Converts the fields for the log. */
  readonly shown?: (fields: Fields) => object;
  readonly counter?: CounterSpec<Fields>;
  readonly histogram?: HistogramSpec<Fields>;
}

export interface CounterSpec<Fields> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly labels: (fields: Fields) => Record<string, string | number>;
  /** Series that start at zero, because Prometheus sees no increase when a series begins with its first event. */
  readonly zeros?: readonly Record<string, string>[];
}

export interface HistogramSpec<Fields> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly labels: (fields: Fields) => Record<string, string>;
  readonly seconds: (fields: Fields) => number;
}

/** A counter without labels. */
function count(name: string, help: string) {
  return { name, help, labelNames: [], labels: () => ({}) };
}

/** Methods with a label of their own. Clients can send any other method, which must not add a series. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Labels of refused requests: error codes of the protocol, or our own names. */
const REFUSALS = [
  ...["invalid_request", "invalid_client", "invalid_grant", "unsupported_grant_type"],
  ...["invalid_token", "insufficient_scope", "no token"],
  ...["unsupported_response_type", "invalid_scope", "access_denied", "server_error"],
  ...["temporarily_unavailable", "login_required", "consent_required", "interaction_required"],
  ...["page", "untrusted request", "client document", "rate limit"],
];

/** The fields of each event. */
interface EventFields {
  /** The service accepts requests. */
  listening: { issuer: string; port: number; managementPort?: number };
  /** The process received a stop signal; `delay` is in seconds. */
  stopping: { delay: number };
  /** All requests were answered. */
  stopped: undefined;
  /** Requests come through a proxy that is not in `trusted_proxies`, so all its users share one rate limit. */
  undeclaredProxy: { address: string };
  /**
   * Too few resolvers to confirm each other: only domains with DNSSEC can sign in, and accounts are not
   * put to sleep when their record is gone.
   */
  fewResolvers: { resolvers: number; needed: number };
  /** A request was answered; `route` is the pattern of the path, not the requested path. */
  answered: { method: string; route: string; status: number; milliseconds: number };
  /** DNS was queried for the SP record or the challenge record of a domain. */
  lookedUp: { outcome: string; assurance: Assurance; milliseconds: number };
  /** DNSSEC validation failed for a domain. The reason begins with a code of the verifier. */
  bogus: { domain: string; reason: string };
  /** A request was refused. `reason` was sent to the client, `found` is only logged. No credentials. */
  refused: {
    errorId: string;
    path: string;
    error: string;
    reason: string;
    found?: string | undefined;
    clientId?: string | undefined;
  };
  /** The service or a dependency failed. */
  failed: { errorId?: string; path: string; cause: unknown };
  /** A code or a refresh token was used a second time, and its grant was revoked. */
  replayed: { clientId: string; accountId: string; token: "code" | "refresh_token" };
  /** A token is newer than its grant in the store: the store has lost writes. */
  lostWrites: { clientId: string; accountId: string };
  /** A sign-in at an external SP failed; `sp` is its issuer. Contains no token, code or state. */
  spFailed: { sp: string; kind: string; detail: string; errorId: string };
  /** An account was created. */
  enrolled: { accountId: string; domain: string; assurance: string };
  /** An account ended, because no record has named it for 30 days. */
  ended: { accountId: string; domain: string };
  /** The owner of an account signed in. */
  signedIn: { accountId: string; domain: string; clientId: string; amr: string };
}

export type EventName = keyof EventFields;

/** One function for each event, which reports it. */
export type Events = {
  [Name in EventName]: EventFields[Name] extends undefined
    ? () => void
    : (fields: EventFields[Name]) => void;
};

export const EVENTS: { readonly [Name in EventName]: EventSpec<EventFields[Name]> } = {
  listening: { level: "info", message: "listening" },
  stopping: { level: "info", message: "stopping" },
  stopped: { level: "info", message: "stopped" },
  undeclaredProxy: { level: "warn", message: "undeclared proxy" },
  fewResolvers: { level: "warn", message: "few resolvers" },
  answered: {
    level: "none",
    message: "answered",
    counter: {
      name: "domain_signin_http_requests_total",
      help: "Answered requests, by the pattern of the path.",
      labelNames: ["method", "route", "status"],
      labels: ({ method, route, status }) => ({
        method: METHODS.has(method) ? method : "other",
        route,
        status,
      }),
    },
    histogram: {
      name: "domain_signin_http_request_duration_seconds",
      help: "Time to process a request, without sending the response.",
      labelNames: ["route"],
      labels: ({ route }) => ({ route }),
      seconds: ({ milliseconds }) => milliseconds / 1000,
    },
  },
  lookedUp: {
    level: "none",
    message: "looked up",
    counter: {
      name: "domain_signin_dns_lookups_total",
      help: "DNS lookups of records, by outcome and assurance.",
      labelNames: ["outcome", "assurance"],
      labels: ({ outcome, assurance }) => ({ outcome, assurance }),
    },
    histogram: {
      name: "domain_signin_dns_lookup_duration_seconds",
      help: "Duration of DNS lookups of records.",
      labelNames: [],
      labels: () => ({}),
      seconds: ({ milliseconds }) => milliseconds / 1000,
    },
  },
  bogus: { level: "warn", message: "bogus" },
  refused: {
    level: "info",
    message: "refused",
    counter: {
      name: "domain_signin_refused_total",
      help: "Refused requests, by the error as logged.",
      labelNames: ["error"],
      labels: ({ error }) => ({ error }),
      zeros: REFUSALS.map((error) => ({ error })),
    },
  },
  failed: {
    level: "error",
    message: "failed",
    shown: ({ cause, ...fields }) => ({
      ...fields,
      cause: cause instanceof Error ? cause.stack : String(cause),
    }),
    counter: count("domain_signin_failed_total", "Failures of the service or of a dependency."),
  },
  replayed: {
    level: "warn",
    message: "replayed",
    counter: {
      name: "domain_signin_replays_total",
      help: "Codes and refresh tokens used a second time, which revoked their grants.",
      labelNames: ["token"],
      labels: ({ token }) => ({ token }),
      zeros: [{ token: "code" }, { token: "refresh_token" }],
    },
  },
  lostWrites: {
    level: "error",
    message: "lost writes",
    counter: count(
      "domain_signin_lost_writes_total",
      "Tokens that were newer than their grant in the store.",
    ),
  },
  spFailed: {
    level: "warn",
    message: "sp failed",
    counter: {
      name: "domain_signin_sp_failures_total",
      help: "Failed sign-ins at external service providers, by problem.",
      labelNames: ["kind"],
      labels: ({ kind }) => ({ kind }),
    },
  },
  enrolled: {
    level: "info",
    message: "enrolled",
    counter: count("domain_signin_enrolments_total", "Created accounts."),
  },
  ended: {
    level: "info",
    message: "ended",
    counter: count("domain_signin_accounts_ended_total", "Ended accounts."),
  },
  signedIn: {
    level: "info",
    message: "signed in",
    counter: {
      name: "domain_signin_sign_ins_total",
      help: "Sign-ins, by authentication method.",
      labelNames: ["amr"],
      labels: ({ amr }) => ({ amr }),
    },
  },
};

/** Makes one function for each event from its row in the table. */
export function eachEvent(
  make: (name: EventName, spec: EventSpec<unknown>) => (fields: unknown) => void,
): Events {
  const names = Object.keys(EVENTS) as EventName[];
  // The type checker cannot relate a row and its function in a loop over the names.
  const made = names.map((name) => [name, make(name, EVENTS[name] as EventSpec<unknown>)]);
  return Object.fromEntries(made) as Events;
}

/** Events as JSON lines on standard error, or on `destination`. */
export function jsonEvents(destination: DestinationStream = pino.destination(2)): Events {
  const log = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  );
  return eachEvent((_, { level, message, shown = (fields) => fields as object }) => {
    if (level === "none") return () => {};
    return (fields) =>
      fields === undefined ? log[level](message) : log[level](shown(fields), message);
  });
}

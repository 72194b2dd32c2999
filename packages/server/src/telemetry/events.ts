// Events: everything that the service reports about itself. One table says how each is logged and counted.
//
// No event holds a secret. No label of a metric names a client, an account or a domain, or can have
// endless values.

import { type DestinationStream, pino } from "pino";
import type { Assurance } from "../dns/assurance.ts";

/** What happens when the event is reported. */
export interface EventSpec<Fields> {
  /** The message of the log line; the fields stand beside it. */
  readonly message: string;
  /** `none` for events that are too many for a log. */
  readonly level: "info" | "warn" | "error" | "none";
  /** The fields as the log shows them, where they differ. */
  readonly shown?: (fields: Fields) => object;
  readonly counter?: CounterSpec<Fields>;
  readonly histogram?: HistogramSpec<Fields>;
}

export interface CounterSpec<Fields> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly labels: (fields: Fields) => Record<string, string | number>;
  /** Series that are there as zero: one that begins with its first event shows Prometheus no increase. */
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

/** A method is chosen by the caller: each other one would be one series more. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** What requests are refused as: the codes of the protocol, and our own words where it has none. */
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
  /** The process was told to stop; `delay` is in seconds. */
  stopping: { delay: number };
  /** Everything that was asked is answered. */
  stopped: undefined;
  /** Requests come through a proxy that `trusted_proxies` does not name: all of its people count as one. */
  undeclaredProxy: { address: string };
  /**
   * With so few resolvers none can confirm another: only domains with signed DNS can sign in, and no
   * account falls asleep whose record is gone.
   */
  fewResolvers: { resolvers: number; needed: number };
  /** A request was answered; `route` is the path with its variables, not what was asked for. */
  answered: { method: string; route: string; status: number; milliseconds: number };
  /** DNS was asked for a domain's record, or for its answer to a challenge. */
  lookedUp: { outcome: string; assurance: Assurance; milliseconds: number };
  /** Signatures of a domain's DNS do not hold, or are missing. The reason begins with a verifier's code. */
  bogus: { domain: string; reason: string };
  /** A request was refused: what it was told (`reason`), and what only the log says (`found`). Never a credential. */
  refused: {
    errorId: string;
    path: string;
    error: string;
    reason: string;
    found?: string | undefined;
    clientId?: string | undefined;
  };
  /** We or something that we depend on failed. */
  failed: { errorId?: string; path: string; cause: unknown };
  /** A code or a refresh token was used a second time, and its grant was ended. */
  replayed: { clientId: string; accountId: string; token: "code" | "refresh_token" };
  /** A token was presented that is newer than the store knows: the store has lost writes. */
  lostWrites: { clientId: string; accountId: string };
  /** An external service provider did not sign somebody in; `sp` is its issuer. No token, code or state. */
  spFailed: { sp: string; kind: string; detail: string; errorId: string };
  /** An account came into being. */
  enrolled: { accountId: string; domain: string; assurance: string };
  /** An account came to its end: its zone has not named it for 30 days. */
  ended: { accountId: string; domain: string };
  /** Somebody signed in. */
  signedIn: { accountId: string; domain: string; clientId: string; amr: string };
}

export type EventName = keyof EventFields;

/** A function for each event, which reports it. */
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
    ...{ level: "none", message: "answered" },
    counter: {
      name: "domain_signin_http_requests_total",
      help: "Requests answered, by the path with its variables.",
      labelNames: ["method", "route", "status"],
      labels: ({ method, route, status }) => ({
        ...{ method: METHODS.has(method) ? method : "other", route, status },
      }),
    },
    histogram: {
      name: "domain_signin_http_request_duration_seconds",
      help: "Time from a request to its answer, without sending the answer.",
      labelNames: ["route"],
      labels: ({ route }) => ({ route }),
      seconds: ({ milliseconds }) => milliseconds / 1000,
    },
  },
  lookedUp: {
    ...{ level: "none", message: "looked up" },
    counter: {
      name: "domain_signin_dns_lookups_total",
      help: "Looks at a zone that asked DNS, and what they are worth.",
      labelNames: ["outcome", "assurance"],
      labels: ({ outcome, assurance }) => ({ outcome, assurance }),
    },
    histogram: {
      name: "domain_signin_dns_lookup_duration_seconds",
      help: "Time that a look at a zone took.",
      labelNames: [],
      labels: () => ({}),
      seconds: ({ milliseconds }) => milliseconds / 1000,
    },
  },
  bogus: { level: "warn", message: "bogus" },
  refused: {
    ...{ level: "info", message: "refused" },
    counter: {
      name: "domain_signin_refused_total",
      help: "Requests refused, by the error that the log has too.",
      labelNames: ["error"],
      labels: ({ error }) => ({ error }),
      zeros: REFUSALS.map((error) => ({ error })),
    },
  },
  failed: {
    ...{ level: "error", message: "failed" },
    shown: ({ cause, ...fields }) => ({
      ...fields,
      cause: cause instanceof Error ? cause.stack : String(cause),
    }),
    counter: count(
      "domain_signin_failed_total",
      "Failures of the service or of what it depends on.",
    ),
  },
  replayed: {
    ...{ level: "warn", message: "replayed" },
    counter: {
      name: "domain_signin_replays_total",
      help: "Codes and refresh tokens used a second time, each of which ended its grant.",
      labelNames: ["token"],
      labels: ({ token }) => ({ token }),
      zeros: [{ token: "code" }, { token: "refresh_token" }],
    },
  },
  lostWrites: {
    ...{ level: "error", message: "lost writes" },
    counter: count(
      "domain_signin_lost_writes_total",
      "Tokens presented that are newer than the store knows.",
    ),
  },
  spFailed: {
    ...{ level: "warn", message: "sp failed" },
    counter: {
      name: "domain_signin_sp_failures_total",
      help: "Sign-ins that an external service provider did not bring to an end, by what went wrong.",
      labelNames: ["kind"],
      labels: ({ kind }) => ({ kind }),
    },
  },
  enrolled: {
    ...{ level: "info", message: "enrolled" },
    counter: count("domain_signin_enrolments_total", "Accounts that came into being."),
  },
  ended: {
    ...{ level: "info", message: "ended" },
    counter: count("domain_signin_accounts_ended_total", "Accounts that came to their end."),
  },
  signedIn: {
    ...{ level: "info", message: "signed in" },
    counter: {
      name: "domain_signin_sign_ins_total",
      help: "Sign-ins, by how the owner was authenticated.",
      labelNames: ["amr"],
      labels: ({ amr }) => ({ amr }),
    },
  },
};

/** A function for each event, made by `make` of its row. */
export function eachEvent(
  make: (name: EventName, spec: EventSpec<unknown>) => (fields: unknown) => void,
): Events {
  const names = Object.keys(EVENTS) as EventName[];
  // A row of the table and its function belong together by their name, which a loop cannot tell the compiler.
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

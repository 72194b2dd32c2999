// Counts events for Prometheus: no label names a client, an account or a domain, or has endless values.

import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Events } from "./events.ts";

export interface Metrics {
  /** The same events, each also counted. */
  measured(events: Events): Events;
  /** Everything counted so far, and the state of the process, in the text exposition format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Seconds. A query of DNS is given up after 2.5. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** A method is the caller's own word: each other one would be a series more. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** What requests are refused as: the codes of the protocol, and our own words where it has none. */
const REFUSALS = [
  ...["invalid_request", "invalid_client", "invalid_grant", "unsupported_grant_type"],
  ...["invalid_token", "insufficient_scope", "no token"],
  ...["unsupported_response_type", "invalid_scope", "access_denied", "server_error"],
  ...["temporarily_unavailable", "login_required", "consent_required", "interaction_required"],
  ...["page", "untrusted request", "client document", "rate limit"],
];

/** Has a registry of its own, so that two services in one process are not added up. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Counter({
    name: "domain_signin_http_requests_total",
    help: "Requests answered, by the path with its variables.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const requestDuration = new Histogram({
    name: "domain_signin_http_request_duration_seconds",
    help: "Time from a request to its answer, without sending the answer.",
    labelNames: ["route"],
    buckets: BUCKETS,
    registers,
  });
  const lookups = new Counter({
    name: "domain_signin_dns_lookups_total",
    help: "Looks at a zone that asked DNS, and what they are worth.",
    labelNames: ["outcome", "assurance"],
    registers,
  });
  const lookupDuration = new Histogram({
    name: "domain_signin_dns_lookup_duration_seconds",
    help: "Time that a look at a zone took.",
    buckets: BUCKETS,
    registers,
  });
  const refusals = new Counter({
    name: "domain_signin_refused_total",
    help: "Requests refused, by the error that the log has too.",
    labelNames: ["error"],
    registers,
  });
  const failures = new Counter({
    name: "domain_signin_failed_total",
    help: "Failures of the service or of what it depends on.",
    registers,
  });
  const replays = new Counter({
    name: "domain_signin_replays_total",
    help: "Codes and refresh tokens used a second time, each of which ended its grant.",
    labelNames: ["token"],
    registers,
  });
  const lostWrites = new Counter({
    name: "domain_signin_lost_writes_total",
    help: "Tokens presented that are newer than the store knows.",
    registers,
  });
  const spFailures = new Counter({
    name: "domain_signin_sp_failures_total",
    help: "Sign-ins that an external service provider did not bring to an end, by what went wrong.",
    labelNames: ["kind"],
    registers,
  });
  const enrolments = new Counter({
    name: "domain_signin_enrolments_total",
    help: "Accounts that came into being.",
    registers,
  });
  const accountsEnded = new Counter({
    name: "domain_signin_accounts_ended_total",
    help: "Accounts that came to their end.",
    registers,
  });
  const signIns = new Counter({
    name: "domain_signin_sign_ins_total",
    help: "Sign-ins, by how the owner was authenticated.",
    labelNames: ["amr"],
    registers,
  });
  // A series that begins with its first event shows Prometheus no increase.
  for (const token of ["code", "refresh_token"] as const) replays.inc({ token }, 0);
  for (const error of REFUSALS) refusals.inc({ error }, 0);

  return {
    // An event that is missing here does not compile.
    measured: (events): Events => ({
      listening(fields) {
        events.listening(fields);
      },
      stopping(fields) {
        events.stopping(fields);
      },
      stopped() {
        events.stopped();
      },
      undeclaredProxy(fields) {
        events.undeclaredProxy(fields);
      },
      fewResolvers(fields) {
        events.fewResolvers(fields);
      },
      answered(fields) {
        events.answered(fields);
        const { route, status } = fields;
        const method = METHODS.has(fields.method) ? fields.method : "other";
        requests.inc({ method, route, status });
        requestDuration.observe({ route }, fields.milliseconds / 1000);
      },
      lookedUp(fields) {
        events.lookedUp(fields);
        lookups.inc({ outcome: fields.outcome, assurance: fields.assurance });
        lookupDuration.observe(fields.milliseconds / 1000);
      },
      bogus(fields) {
        events.bogus(fields);
      },
      refused(fields) {
        events.refused(fields);
        refusals.inc({ error: fields.error });
      },
      failed(fields) {
        events.failed(fields);
        failures.inc();
      },
      replayed(fields) {
        events.replayed(fields);
        replays.inc({ token: fields.token });
      },
      lostWrites(fields) {
        events.lostWrites(fields);
        lostWrites.inc();
      },
      spFailed(fields) {
        events.spFailed(fields);
        spFailures.inc({ kind: fields.kind });
      },
      enrolled(fields) {
        events.enrolled(fields);
        enrolments.inc();
      },
      ended(fields) {
        events.ended(fields);
        accountsEnded.inc();
      },
      signedIn(fields) {
        events.signedIn(fields);
        signIns.inc({ amr: fields.amr });
      },
    }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

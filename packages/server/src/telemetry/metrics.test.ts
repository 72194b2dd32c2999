// Tests of the metrics: each event moves its own counters and no other, and labels stay few.

import { expect, test } from "vitest";
import type { RegistrationError } from "../clients/client-errors.ts";
import { createFairRoom } from "../lib/fair-room.ts";
import type {
  AuthorizationErrorCode,
  BearerError,
  TokenErrorCode,
} from "../oauth/protocol-errors.ts";
import { createBudgets } from "./budgets.ts";
import type { Events } from "./events.ts";
import { createMetrics, type Metrics } from "./metrics.ts";

/** Whatever the channels of errors report a refusal as: one that is missing here does not compile. */
const REFUSALS: Record<
  | TokenErrorCode
  | AuthorizationErrorCode
  | NonNullable<BearerError["code"]>
  | RegistrationError["code"]
  | ("no token" | "page" | "untrusted request" | "client document" | "rate limit" | "method"),
  0
> = {
  ...{ invalid_request: 0, invalid_client: 0, invalid_grant: 0, unsupported_grant_type: 0 },
  ...{ invalid_token: 0, insufficient_scope: 0, "no token": 0 },
  ...{ unsupported_response_type: 0, invalid_scope: 0, access_denied: 0, server_error: 0 },
  ...{ temporarily_unavailable: 0, login_required: 0, consent_required: 0 },
  account_selection_required: 0,
  ...{ request_not_supported: 0, request_uri_not_supported: 0, registration_not_supported: 0 },
  ...{ invalid_target: 0, invalid_redirect_uri: 0, invalid_client_metadata: 0 },
  ...{ interaction_required: 0, page: 0, "untrusted request": 0, "rate limit": 0 },
  ...{ "client document": 0, method: 0 },
};

/** What no exposition may hold. */
const PRIVATE = "private";
const ids = { clientId: PRIVATE, accountId: PRIVATE, domain: PRIVATE };

/**
 * One example of each event: its fields, and every series of ours that it moves. Each is told twice, and what it moves is
 * halved, also where only the last value is shown.
 */
const EVENTS: {
  [Name in keyof Events]: [fields: Parameters<Events[Name]>[0], moves?: Record<string, number>];
} = {
  listening: [{ issuer: PRIVATE, port: 1 }],
  stopping: [{ delay: 3 }],
  stopped: [undefined],
  clockUncertain: [
    { verdict: "behind", reason: "the clock is behind" },
    { 'clock_uncertain_total{verdict="behind"}': 1 },
  ],
  clockCertain: [undefined],
  clockUnwitnessed: [undefined],
  witnessOld: [{ reason: PRIVATE }, { witness_old_total: 1 }],
  timeJudged: [{ verdict: "certain", floorLag: 42 }, { time_floor_lag_seconds: 42 / 2 }],
  rootSeen: [{ unknownKeys: 2 }, { root_keys_unknown: 2 / 2 }],
  rootKeyUnknown: [{ keyTags: [4711] }],
  clockSkewed: [{ seconds: -45 }, { clock_skewed_total: 1 }],
  passwordInArguments: [{ option: PRIVATE, hint: PRIVATE }],
  waiting: [{ what: PRIVATE, seconds: 10 }],
  retriedLate: [
    { ...ids, token: "refresh_token" },
    { 'late_retries_total{token="refresh_token"}': 1 },
  ],
  retriedElsewhere: [ids],
  undeclaredProxy: [{ address: PRIVATE }],
  silentProxy: [{ address: PRIVATE }],
  resolverUnreachable: [
    { resolver: "192.0.2.53:53", reason: "timeout" },
    { 'resolver_unreachable_total{resolver="192.0.2.53:53"}': 1 },
  ],
  resolverReachable: [{ resolver: "192.0.2.53:53" }],
  answered: [
    { method: "POST", route: "/oauth/token", status: 400, milliseconds: 30 },
    {
      'http_requests_total{method="POST",route="/oauth/token",status="400"}': 1,
      ...buckets("http_request_duration_seconds", 'route="/oauth/token"', [
        ...["0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "+Inf"],
      ]),
      'http_request_duration_seconds_sum{route="/oauth/token"}': 0.03,
      'http_request_duration_seconds_count{route="/oauth/token"}': 1,
    },
  ],
  lookedUp: [
    { outcome: "unavailable", assurance: "single", milliseconds: 2500.5 },
    {
      'dns_lookups_total{outcome="unavailable",assurance="single"}': 1,
      ...buckets("dns_lookup_duration_seconds", "", ["5", "+Inf"]),
      dns_lookup_duration_seconds_sum: 2.5005,
      dns_lookup_duration_seconds_count: 1,
    },
  ],
  spFailed: [
    { sp: PRIVATE, kind: "no_client", detail: PRIVATE, errorId: PRIVATE },
    { 'sp_failures_total{kind="no_client"}': 1 },
  ],
  passkeyAdded: [{ ...ids, name: PRIVATE }],
  recoveryCodesRenewed: [ids],
  accountDeleted: [ids],
  passkeyRemoved: [{ ...ids, name: PRIVATE }],
  passkeyRenamed: [{ ...ids, name: PRIVATE }],
  passkeyRefused: [{ domain: PRIVATE, problem: "cloned" }],
  bogus: [{ domain: PRIVATE, cause: "dname", reason: PRIVATE }],
  unavailable: [{ domain: PRIVATE, reason: "stale" }],
  refused: [
    {
      ...{ errorId: PRIVATE, path: PRIVATE, error: "invalid_grant" },
      ...{ reason: PRIVATE, found: PRIVATE },
    },
    { 'refused_total{error="invalid_grant"}': 1 },
  ],
  failed: [{ errorId: PRIVATE, path: PRIVATE, cause: PRIVATE }, { failed_total: 1 }],
  replayed: [{ ...ids, token: "refresh_token" }, { 'replays_total{token="refresh_token"}': 1 }],
  lostWrites: [ids, { lost_writes_total: 1 }],
  markNotWritten: [{ path: PRIVATE, cause: new Error(PRIVATE) }, { mark_failures_total: 1 }],
  enrolled: [{ ...ids, assurance: PRIVATE }, { enrolments_total: 1 }],
  ended: [ids, { accounts_ended_total: 1 }],
  recordLost: [{ ...ids, since: 1 }],
  recordFound: [ids],
  recoveryCodeUsed: [ids],
  browserAdded: [ids],
  scopesIgnored: [{ ...ids, scope: PRIVATE }],
  appAllowed: [{ ...ids, scope: "openid" }],
  clientRegistered: [
    { clientId: PRIVATE, change: "registered" },
    { 'registrations_total{change="registered"}': 1 },
  ],
  operatorChange: [{ ...ids, user: PRIVATE, command: "accounts sign-out", apps: false }],
  signedIn: [{ ...ids, amr: "dns" }, { 'sign_ins_total{amr="dns"}': 1 }],
  signedOut: [{ ...ids, where: "everywhere" }],
  logoutNotDelivered: [
    { clientId: PRIVATE, attempt: 1, problem: PRIVATE, pause: 30 },
    { logouts_not_delivered_total: 1 },
  ],
  logoutsDropped: [{ clientId: PRIVATE, count: 3 }, { logouts_dropped_total: 3 }],
  setUpReused: [ids],
  challengeReused: [ids],
  sessionReused: [ids, { sessions_reused_total: 1 }],
  logLinesDropped: [{ count: 1, total: 1 }],
  limitReached: [
    {
      ...{ budget: "pages", what: "requests for pages", evicted: 2, refused: 1 },
      ...{ held: 4096, capacity: 4096, largest: ["203.0.113.0/24"] },
    },
  ],
  appRevoked: [ids],
};
const NAMES = Object.keys(EVENTS) as (keyof Events)[];

/** Reports the example. */
function tell(events: Events, name: keyof Events): void {
  (events[name] as (fields: unknown) => void)(EVENTS[name][0]);
}

function buckets(name: string, labels: string, bounds: string[]): Record<string, number> {
  const after = labels && `,${labels}`;
  return Object.fromEntries(bounds.map((bound) => [`${name}_bucket{le="${bound}"${after}}`, 1]));
}

const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"/;
const LABELS = new RegExp(`^${LABEL.source}(?:,${LABEL.source})*$`);

/** Reads the text exposition format 0.0.4: the value of each series. Throws at what it does not know. */
async function read(metrics: Metrics): Promise<Map<string, number>> {
  const series = new Map<string, number>();
  const types = new Map<string, string>();
  const text = await metrics.text();
  expect(text.endsWith("\n")).toBe(true);
  for (const line of text.split("\n")) {
    const type = /^# TYPE (\w+) (counter|gauge|histogram|summary)$/.exec(line);
    if (type !== null) types.set(String(type[1]), String(type[2]));
    if (line === "" || type !== null || /^# HELP \w+ \S/.test(line)) continue;
    const sample = /^(([a-zA-Z_:][\w:]*)(?:\{(.*)\})?) (\S+)$/.exec(line);
    if (sample === null) throw new Error(`no line of the format: ${line}`);
    const [, id, name, labels, value] = sample.map(String);
    if (sample[3] !== undefined) expect(labels).toMatch(LABELS);
    if (!/^(?:Nan|\+Inf|[-+.e\d]+)$/.test(value ?? "")) throw new Error(`no value: ${line}`);
    const family = [name, name?.replace(/_(?:bucket|sum|count)$/, "")].find(
      (known) => known !== undefined && types.has(known),
    );
    if (family === undefined) throw new Error(`no type: ${line}`);
    if (series.has(String(id))) throw new Error(`twice: ${line}`);
    series.set(String(id), Number(value));
  }
  return series;
}

/** Ours alone, without their common prefix. */
async function readOurs(metrics: Metrics): Promise<Map<string, number>> {
  const all = [...(await read(metrics))].filter(([id]) => id.startsWith("domain_signin_"));
  return new Map(all.map(([id, value]) => [id.replace("domain_signin_", ""), value]));
}

/** Events that record their calls. */
function notedEvents() {
  const calls: [string, unknown][] = [];
  const note = (name: string) => (fields: unknown) => void calls.push([name, fields]);
  const events = Object.fromEntries(NAMES.map((name) => [name, note(name)]));
  return { events: events as unknown as Events, calls };
}

test.each(NAMES)("%s moves its own series and no other, and is passed on", async (name) => {
  const metrics = createMetrics();
  const through = notedEvents();
  const measured = metrics.measured(through.events);
  const before = await readOurs(metrics);
  tell(measured, name);
  tell(measured, name);
  const moved = [...(await readOurs(metrics))]
    .map(([id, value]) => [id, (value - (before.get(id) ?? 0)) / 2] as const)
    .filter(([, by]) => by !== 0);
  expect(Object.fromEntries(moved)).toEqual(EVENTS[name][1] ?? {});
  const direct = notedEvents();
  tell(direct.events, name);
  expect(direct.calls).toHaveLength(1);
  expect(through.calls).toEqual([...direct.calls, ...direct.calls]);
});

test("what may never happen is there as zero, so that the first time is seen as an increase", async () => {
  const ours = await readOurs(createMetrics());
  for (const id of [
    ...["failed_total", "lost_writes_total", "enrolments_total", "accounts_ended_total"],
    ...['replays_total{token="code"}', 'replays_total{token="refresh_token"}'],
  ]) {
    expect([id, ours.get(id)]).toEqual([id, 0]);
  }
  const refused = [...ours].filter(([id]) => id.startsWith("refused_total"));
  const seriesOf = (error: string) => `refused_total{error="${error}"}`;
  const named = Object.entries(REFUSALS).map(([error, zero]) => [seriesOf(error), zero]);
  expect(refused.sort()).toEqual(named.sort());
});

test("methods that callers invent are one series", async () => {
  const metrics = createMetrics();
  const { answered } = metrics.measured(notedEvents().events);
  const hostile = ["FOO".repeat(1000), "get", "", 'a"b\n\\', "__proto__", "constructor"];
  for (let i = 0; i < 1000; i++) hostile.push(`FOO${i}`);
  for (const method of [...hostile, "GET"]) {
    answered({ method, route: "none", status: 404, milliseconds: 1 });
  }
  const requests = [...(await readOurs(metrics))].filter(([id]) => id.startsWith("http_requests"));
  expect(requests).toEqual([
    ['http_requests_total{method="other",route="none",status="404"}', hostile.length],
    ['http_requests_total{method="GET",route="none",status="404"}', 1],
  ]);
});

test("labels are the few named here, and none tells who signed in where", async () => {
  const metrics = createMetrics();
  const measured = metrics.measured(notedEvents().events);
  for (const name of NAMES) tell(measured, name);
  const ids = [...(await readOurs(metrics)).keys()];
  const labels = ids.flatMap((id) =>
    [...id.matchAll(new RegExp(LABEL, "g"))].map(([, label]) => String(label)),
  );
  expect([...new Set(labels)].sort().join(" ")).toBe(
    "amr assurance change error kind le method outcome resolver route status token verdict",
  );
  expect(await metrics.text()).not.toContain(PRIVATE);
});

test("limits are read at each scrape, and each begins with zero", async () => {
  const clock = { monotonic: () => 0 };
  const budgets = createBudgets({ events: notedEvents().events, clock });
  const metrics = createMetrics(() => 0, budgets.shown);
  const budget = budgets.budget("pages");
  const room = createFairRoom({ capacity: 2, clock, budget });
  const limitsOf = async () =>
    [...(await readOurs(metrics))].filter(([id]) => id.startsWith("limit_"));
  const names = ["pages", "unproved_rows", "name_servers", "look_ups", "outgoing", "registrations"];
  const expected = new Map<string, number>(
    ["limit_held", "limit_capacity", "limit_evictions_total", "limit_refusals_total"].flatMap(
      (metric) => names.map((name) => [`${metric}{budget="${name}"}`, 0] as const),
    ),
  );
  expected.set('limit_capacity{budget="pages"}', 2);
  expect(await limitsOf()).toEqual([...expected]);
  const holding = { keys: ["203.0.113.0/24", "203.0.113.7"], size: 1, evict() {} };
  const enter = () => room.enter(holding);
  enter();
  const place = enter();
  enter();
  budget.refused();
  expected.set('limit_held{budget="pages"}', 2);
  expected.set('limit_evictions_total{budget="pages"}', 1);
  expected.set('limit_refusals_total{budget="pages"}', 1);
  expect(await limitsOf()).toEqual([...expected]);
  place?.leave();
  expected.set('limit_held{budget="pages"}', 1);
  expect(await limitsOf()).toEqual([...expected]);
});

test("the process is measured too, and two services in one process each by itself", async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  tell(one.measured(notedEvents().events), "enrolled");
  expect((await readOurs(one)).get("enrolments_total")).toBe(1);
  expect((await readOurs(other)).get("enrolments_total")).toBe(0);
  const all = await read(other);
  expect(all.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect(all.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
  expect(other.contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
});

// Notifies apps that a session has ended (OpenID Connect Back-Channel Logout 1.0).

import type { Client, Clients } from "../clients/client.ts";
import type { Clock } from "../lib/clock.ts";
import { type GuardedFetch, GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import type { DueLogout, LogoutStore } from "../store/logouts.ts";
import type { Events } from "../telemetry/events.ts";
import type { Statements } from "./statements.ts";

/** The limits of one round: a client or host that hangs or floods must not delay the others. */
const PER_ROUND = { each: 8, all: 64 };
/** Pending tokens of one client. At `PER_ROUND`, one node delivers this many tokens within four hours. */
const MAX_PENDING = 10_000;
/** An attempt takes at most five seconds. The attempts of a node that died are repeated after this. */
const CLAIM_S = 60;
/** The pause after the first attempt; each further one is four times as long, up to the longest. */
const FIRST_PAUSE_S = 30;
const LONGEST_PAUSE_S = 6 * 3600;

interface Deps {
  readonly clients: Clients;
  readonly statements: Statements;
  readonly logouts: LogoutStore;
  readonly logoutFetch: GuardedFetch;
  readonly clock: Clock;
  readonly events: Events;
}

export function logoutHost({ backchannel_logout_uri }: Client) {
  return new URL(backchannel_logout_uri).hostname;
}

export function createBackChannelLogout(deps: Deps) {
  const { clients, statements, logouts, logoutFetch, clock, events } = deps;
  return sendLogoutTokens;

  /** Sends what is due, at most eight tokens to each client and each host. Any number of nodes may run it. */
  async function sendLogoutTokens(): Promise<void> {
    const due = await logouts.dueLogouts(clock.seconds(), PER_ROUND);
    await Promise.all(due.map(deliver));
    const flooding = due.filter(({ pending }) => pending > MAX_PENDING);
    for (const clientId of new Set(flooding.map((one) => one.clientId))) {
      const surplus = { clientId, kept: MAX_PENDING, now: clock.seconds() };
      const count = await logouts.dropLogouts(surplus);
      if (count > 0) events.logoutsDropped({ clientId, count });
    }
  }

  async function deliver(due: DueLogout): Promise<void> {
    const now = clock.seconds();
    const claim = await logouts.claimLogout(due, { now, until: now + CLAIM_S });
    if (claim === null) return;
    // A document that cannot be fetched now counts as a failed attempt.
    const client = await clients.find(due.clientId).catch(() => undefined);
    if (client === null || client?.backchannel_logout_uri === "") {
      return logouts.finishLogout(claim, now);
    }
    if (client !== undefined && logoutHost(client) !== due.host) {
      // This round counted the token for another host.
      return logouts.moveLogout(claim, { host: logoutHost(client), at: now });
    }
    const problem = client === undefined ? "no document" : await send(client, due);
    if (problem === null) return logouts.finishLogout(claim, clock.seconds());
    const { clientId, attempt } = claim;
    const pause = Math.min(FIRST_PAUSE_S * 4 ** (attempt - 1), LONGEST_PAUSE_S);
    events.logoutNotDelivered({ clientId, attempt, problem, pause });
    await logouts.postponeLogout(claim, clock.seconds() + pause);
  }

  /** Null if the app accepted the logout token; otherwise why not, in a word. */
  async function send(client: Client, due: DueLogout): Promise<string | null> {
    const body = new URLSearchParams({ logout_token: await statements.logoutToken(client, due) });
    const init = { method: "POST", body, statusOnly: true } as const;
    try {
      const answer = await logoutFetch(client.backchannel_logout_uri, init);
      return answer.ok ? null : `status ${answer.status}`;
    } catch (error) {
      if (error instanceof GuardedFetchError) return error.code;
      throw error;
    }
  }
}

// Notifies apps that a session has ended (OpenID Connect Back-Channel Logout 1.0).

import { type Client, subjectOf } from "../clients/client.ts";
import { signJwsAsync } from "../keys/jws.ts";
import { randomText } from "../lib/random.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch-error.ts";
import type { DueLogout } from "../store/logouts.ts";
import type { Deps } from "./deps.ts";
import { PURPOSE_OF } from "./statements.ts";

/** Back-Channel Logout §2.4 recommends at most two minutes. */
const TOKEN_LIFETIME_S = 120;
const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** In one round: a client or a host that hangs or floods must not delay the others. */
const PER_ROUND = { each: 8, all: 64 };
/** Of one client. With `PER_ROUND`, one node delivers them within four hours. */
const MAX_PENDING = 10_000;
/** An attempt takes five seconds at most; a node that dies gives its attempts back after this. */
const CLAIM_S = 60;
/** The pause after the first attempt; each further one is four times as long, up to the longest. */
const FIRST_PAUSE_S = 30;
const LONGEST_PAUSE_S = 6 * 3600;

export type LogoutDeps = Pick<
  Deps,
  "issuer" | "clients" | "keyring" | "clock" | "random" | "logouts" | "events"
> & {
  readonly logoutFetch: GuardedFetch;
};

/** The host that gets the logout tokens of the client. */
export function logoutHost({ backchannel_logout_uri }: Pick<Client, "backchannel_logout_uri">) {
  return new URL(backchannel_logout_uri).hostname;
}

/** One round: sends what is due, at most eight tokens to each client and each host. Any number of nodes may run it. */
export async function sendLogoutTokens(deps: LogoutDeps): Promise<void> {
  const { logouts, clock, events } = deps;
  const due = await logouts.dueLogouts(clock.seconds(), PER_ROUND);
  await Promise.all(due.map((one) => deliver(one, deps)));
  const flooding = due.filter(({ pending }) => pending > MAX_PENDING);
  for (const clientId of new Set(flooding.map((one) => one.clientId))) {
    const surplus = { clientId, kept: MAX_PENDING, now: clock.seconds() };
    const count = await logouts.dropLogouts(surplus);
    if (count > 0) events.logoutsDropped({ clientId, count });
  }
}

async function deliver(due: DueLogout, deps: LogoutDeps): Promise<void> {
  const { logouts, clients, clock } = deps;
  const now = clock.seconds();
  const claim = await logouts.claimLogout(due, { now, until: now + CLAIM_S });
  if (claim === null) return;
  // A document that cannot be fetched now counts as a failed attempt.
  const client = await clients.find(due.clientId).catch(() => undefined);
  if (client === null || client?.backchannel_logout_uri === "") {
    return logouts.finishLogout(claim, now);
  }
  if (client !== undefined && logoutHost(client) !== due.host) {
    // It was chosen as one of the tokens for another host.
    return logouts.moveLogout(claim, { host: logoutHost(client), at: now });
  }
  const problem = client === undefined ? "no document" : await send(client, due, deps);
  if (problem === null) return logouts.finishLogout(claim, clock.seconds());
  const { clientId, attempt } = claim;
  const pause = Math.min(FIRST_PAUSE_S * 4 ** (attempt - 1), LONGEST_PAUSE_S);
  deps.events.logoutNotDelivered({ clientId, attempt, problem, pause });
  await logouts.postponeLogout(claim, clock.seconds() + pause);
}

/** Null if the app accepted the logout token; otherwise why not, in a word. */
async function send(
  client: Client,
  { sid, accountId, domain }: DueLogout,
  { issuer, keyring, clock, random, logoutFetch }: LogoutDeps,
): Promise<string | null> {
  const now = clock.seconds();
  const claims = {
    iss: issuer,
    sub: subjectOf(client, { id: accountId, domain }),
    aud: client.client_id,
    iat: now,
    exp: now + TOKEN_LIFETIME_S,
    jti: randomText(random, 16),
    events: { [EVENT]: {} },
    sid,
  };
  const key = keyring.signingKeyAt(PURPOSE_OF[client.id_token_signed_response_alg], now);
  const token = await signJwsAsync(key, { typ: "logout+jwt" }, claims);
  try {
    const body = new URLSearchParams({ logout_token: token });
    const answer = await logoutFetch(client.backchannel_logout_uri, {
      ...{ method: "POST", body, statusOnly: true },
    });
    return answer.ok ? null : `status ${answer.status}`;
  } catch (error) {
    if (error instanceof GuardedFetchError) return error.code;
    throw error;
  }
}

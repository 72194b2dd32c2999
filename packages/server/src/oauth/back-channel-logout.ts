// Notifies apps that a session has ended (OpenID Connect Back-Channel Logout 1.0).

import { signJwsAside } from "../keys/jws.ts";
import { randomText } from "../lib/random.ts";
import type { GuardedFetch } from "../outgoing/guarded-fetch.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch-error.ts";
import type { DueLogout } from "../store/logouts.ts";
import { type Client, subjectOf } from "./client.ts";
import type { Deps } from "./deps.ts";
import { PURPOSE_OF } from "./id-token.ts";

/** Back-Channel Logout §2.4 recommends at most two minutes. */
const TOKEN_LIFETIME_S = 120;
const EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** In one round, so that an app that hangs delays no other, and a flood of ends nobody. */
const MAX_PER_CLIENT = 8;
const MAX_PER_ROUND = 64;
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

/** One round: sends what is due, for at most eight sessions of each app. Any number of nodes may run it. */
export async function sendLogoutTokens(deps: LogoutDeps): Promise<void> {
  const due = await deps.logouts.dueLogouts(deps.clock.seconds());
  const ofClient = new Map<string, number>();
  const chosen = due.filter(({ clientId }) => {
    const count = (ofClient.get(clientId) ?? 0) + 1;
    ofClient.set(clientId, count);
    return count <= MAX_PER_CLIENT;
  });
  await Promise.all(chosen.slice(0, MAX_PER_ROUND).map((one) => deliver(one, deps)));
}

async function deliver(due: DueLogout, deps: LogoutDeps): Promise<void> {
  const { logouts, clients, clock } = deps;
  const now = clock.seconds();
  const attempt = await logouts.claimLogout(due, { now, until: now + CLAIM_S });
  if (attempt === null) return;
  // A document that cannot be fetched now counts as a failed attempt.
  const client = await clients.find(due.clientId).catch(() => undefined);
  if (client === null || client?.backchannel_logout_uri === "") {
    await logouts.finishLogout(due, now);
    return;
  }
  const problem = client === undefined ? "no document" : await send(client, due, deps);
  if (problem === null) return logouts.finishLogout(due, clock.seconds());
  const pause = Math.min(FIRST_PAUSE_S * 4 ** (attempt - 1), LONGEST_PAUSE_S);
  deps.events.logoutNotDelivered({ clientId: due.clientId, attempt, problem, pause });
  await logouts.postponeLogout(due, clock.seconds() + pause);
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
  const token = await signJwsAside(key, { typ: "logout+jwt" }, claims);
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

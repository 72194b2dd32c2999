// Whether an SP still knows our client: asked of its token endpoint, with a code that nobody was given.

import {
  allowInsecureRequests,
  clockSkew,
  customFetch,
  generateRandomCodeVerifier,
  genericTokenEndpointRequest,
} from "oauth4webapi";
import { z } from "zod";
import { TooManyRequestsError } from "../http/rate-limit.ts";
import { GuardedFetchError } from "../outgoing/guarded-fetch.ts";
import { authenticationOf, UnknownClientError } from "./code-exchange.ts";
import { callbackUri, type SpClient } from "./external-state.ts";
import { oauthFetch } from "./oauth-fetch.ts";
import type { FederationParts } from "./parts.ts";
import type { ProviderMetadata } from "./provider-metadata.ts";

/** "nothing": there was no answer, or none that says anything of clients. */
export async function askIfKnown(
  { issuer: sp, token_endpoint }: ProviderMetadata,
  client: SpClient & { readonly secret: string | null },
  parts: FederationParts,
  signal: AbortSignal,
): Promise<"known" | "unknown" | "nothing"> {
  const { issuer, clock, allowLoopback } = parts;
  try {
    const response = await genericTokenEndpointRequest(
      { issuer: sp, token_endpoint },
      { client_id: client.id, [clockSkew]: clock.seconds() - Math.floor(Date.now() / 1000) },
      await authenticationOf(client, client.secret, parts),
      "authorization_code",
      {
        code: generateRandomCodeVerifier(),
        redirect_uri: callbackUri(issuer, sp),
        code_verifier: generateRandomCodeVerifier(),
      },
      {
        [customFetch]: oauthFetch(parts.fetch),
        [allowInsecureRequests]: allowLoopback,
        signal,
      },
    );
    if (response.status >= 500 || response.status === 429) return "nothing";
    const body: unknown = await response.json().catch(() => undefined);
    const { error } = z.object({ error: z.unknown() }).safeParse(body).data ?? {};
    // Clients are authenticated before codes are looked at (RFC 6749 §5.2).
    return response.status === 401 || error === "invalid_client" ? "unknown" : "known";
  } catch (error) {
    if (error instanceof UnknownClientError) return "unknown";
    const isNoAnswer = error instanceof GuardedFetchError || error instanceof TooManyRequestsError;
    if (isNoAnswer) return "nothing";
    throw error;
  }
}

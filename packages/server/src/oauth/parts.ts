// What the OAuth endpoints are given to work with.

import type { SignInParts } from "../interaction/parts.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { Clients } from "./client.ts";

export interface OAuthParts extends SignInParts<AuthorizationRequest> {
  readonly clients: Clients;
  readonly keyring: Keyring;
  /** Whether the process is about to end, so that new requests should go elsewhere. */
  readonly isStopping: () => boolean;
}

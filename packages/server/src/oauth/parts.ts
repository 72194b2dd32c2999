// What the OAuth endpoints are given to work with.

import type { SignInParts } from "../interaction/parts.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Assurance } from "../lib/assurance.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import type { Clients } from "./client.ts";
import type { ClientKeys } from "./client-documents.ts";

export interface OAuthParts extends SignInParts<AuthorizationRequest> {
  readonly clients: Clients;
  readonly clientKeys: ClientKeys;
  readonly keyring: Keyring;
  /** What a look at DNS must be worth to decide alone. */
  readonly minAssurance: Assurance;
  /** Whether the process is about to end, so that new requests should go elsewhere. */
  readonly isStopping: () => boolean;
}

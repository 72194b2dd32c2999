// The components that the OAuth endpoints use. Each function picks those that it needs.

import type { DomainNameOptions } from "../account/domain-name.ts";
import type { Clients } from "../clients/client.ts";
import type { ClientKeys } from "../clients/client-documents.ts";
import type { RegisteredResources } from "../clients/resource.ts";
import type { Assurance } from "../dns/assurance.ts";
import type { SpRecords } from "../dns/sp-record.ts";
import type { KeyLimit } from "../http/rate-limit.ts";
import type { Deps as InteractionDeps } from "../interaction/deps.ts";
import type { Keyring } from "../keys/keyring.ts";

export interface Deps extends InteractionDeps {
  readonly issuer: string;
  readonly clients: Clients;
  readonly clientKeys: ClientKeys;
  /** Of the assertions that self-registered clients of one registrant have stored; see `proveAssertion`. */
  readonly assertionLimit: KeyLimit;
  readonly registeredResources: RegisteredResources;
  readonly keyring: Keyring;
  readonly spRecords: Pick<SpRecords, "look">;
  readonly minAssurance: Assurance;
  readonly domainNames: DomainNameOptions;
}

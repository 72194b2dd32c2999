// The composition root: creates the components of a service.

import type { ServiceConfig } from "./config/config.ts";
import { resolversForAQuorum } from "./dns/assured-txt.ts";
import { hostAddresses } from "./dns/host-addresses.ts";
import { createLooks } from "./dns/looks.ts";
import type { Reach } from "./dns/name-servers.ts";
import { createFederation } from "./federation/federation.ts";
import { cookiesOf } from "./http/cookies.ts";
import { createControl } from "./interaction/control.ts";
import { openKeyring } from "./keys/keyring.ts";
import { sealWith } from "./keys/seal.ts";
import type { makeSigningKey } from "./keys/signing-key.ts";
import type { Clock } from "./lib/clock.ts";
import { OperatorError } from "./lib/errors.ts";
import type { Random } from "./lib/random.ts";
import { readAuthorizationRequest } from "./oauth/authorization-request.ts";
import { cachedClients } from "./oauth/client.ts";
import { withDocuments } from "./oauth/client-documents.ts";
import { createGuardedFetch } from "./outgoing/guarded-fetch.ts";
import { aggregatesOf, type Store } from "./store/store.ts";
import type { Events } from "./telemetry/events.ts";

/** The dependencies that come from the host and the database. */
interface HostDeps {
  readonly reach?: Reach | undefined;
  readonly makeKey?: typeof makeSigningKey | undefined;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: Events;
  readonly isStopping: () => boolean;
}

/** All components of a service. The `Deps` type of a handler factory selects those that it uses. */
export type Everything = Awaited<ReturnType<typeof assemble>>;

/** Creates all components. The schema of the database must be current. */
export async function assemble(config: ServiceConfig, host: HostDeps) {
  const { issuer, minAssurance, allowedSpecialNames, allowedPrivateSuffixes } = config;
  const { store, clock, random, events, reach, makeKey } = host;
  await claimIssuer(store, issuer);
  const resolvers = config.dnsServers.length;
  if (minAssurance !== "single" && resolvers < resolversForAQuorum) {
    events.fewResolvers({ resolvers, needed: resolversForAQuorum });
  }
  const seal = sealWith(config.secret, random, config.previousSecret);
  const keyring = await openKeyring({ store, seal, clock, random, makeKey });
  if (seal.hasPrevious) {
    const { resealSpSecrets } = await import("./federation/registration.ts");
    await resealSpSecrets({ store, seal });
  }
  const allowLoopback = issuer.startsWith("http:");
  const resolve = hostAddresses(config.dnsServers);
  // Separate instances, so that slow hosts of one kind of request cannot block the other kinds.
  const outgoing = () => createGuardedFetch({ resolve, allowLoopback });
  const shared = { issuer, clock, allowLoopback };
  const documents = { ...shared, fetch: outgoing() };
  const { clients, clientKeys } = withDocuments(cachedClients(store, clock), documents);
  const federation = createFederation({
    ...shared,
    store,
    seal,
    keyring,
    fetch: outgoing(),
    fetchAgain: outgoing(),
  });
  const { spRecords, diagnoses } = createLooks(config, { clock, store, events, reach });
  const readRequest = (query: string, requesterAddress?: string) =>
    readAuthorizationRequest(query, { clients, issuer, requesterAddress });
  return {
    ...host,
    ...aggregatesOf(store),
    issuer,
    minAssurance,
    keyring,
    clients,
    clientKeys,
    federation,
    spRecords,
    diagnoses,
    readRequest,
    cookies: cookiesOf(issuer),
    domainNames: { allowedSpecialNames, allowedPrivateSuffixes },
    control: createControl({ store, spRecords, minAssurance, clock }),
    ping: () => store.ping(),
    statementJkt: () => keyring.statementJkt(clock.seconds()),
  };
}

/** DNS records and issued tokens contain the issuer, so a database keeps its issuer host. */
async function claimIssuer(store: Store, issuer: string): Promise<void> {
  const { host } = new URL(issuer);
  const claimed = await store.claimFact("issuer_host", host);
  if (claimed !== host) {
    throw new OperatorError(
      `the database belongs to issuer host ${claimed}, not ${host}: the issuer of a database cannot be changed, so use another database or an empty one`,
    );
  }
}

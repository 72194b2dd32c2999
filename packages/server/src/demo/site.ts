// One of the demo's two sites: a service, and an app whose visitors sign in through it.

import { join } from "node:path";
import type { ServiceConfig } from "../config/config.ts";
import { randomText, systemRandom } from "../lib/random.ts";
import { createService, type Service } from "../service.ts";
import type { Events } from "../telemetry/events.ts";
import { createApp } from "./app.ts";
import type { DemoClient } from "./description.ts";
import { openDoor } from "./door.ts";
import type { Zone } from "./zone.ts";

export interface Site {
  readonly issuer: string;
  /** The address of its app. */
  readonly app: string;
  /** Resolves when all of it answers, to the clients of the service; the app is the first of them. */
  start(setup: SiteSetup): Promise<readonly DemoClient[]>;
}

export interface SiteSetup {
  /** Of the site's database, in `folder`. */
  readonly name: string;
  readonly folder: string;
  /** As the service's pages call the app. */
  readonly appName: string;
  /** The address of the other site's app. */
  readonly otherApp: string;
  readonly zone: Zone;
  readonly domains: readonly string[];
  readonly trustAnchors: ServiceConfig["trustAnchors"];
  readonly events: Events;
}

/**
 * Its addresses, before anything answers there: the service has to know its own and the clients the
 * app's. They are names, since passkeys and cookies want no IP address.
 */
export async function openSite(
  { port, appPort }: { port?: number | undefined; appPort?: number | undefined },
  onClose: (closer: () => Promise<unknown>) => void,
): Promise<Site> {
  const serviceDoor = await openDoor(port);
  onClose(serviceDoor.close);
  const appDoor = await openDoor(appPort);
  onClose(appDoor.close);
  const issuer = `http://localhost:${serviceDoor.port}`;
  const app = `http://localhost:${appDoor.port}`;
  return {
    issuer,
    app,
    async start({ name, folder, appName, otherApp, zone, domains, trustAnchors, events }) {
      const service = createService(
        {
          issuer,
          database: `sqlite:${join(folder, `${name}.db`)}`,
          secret: randomText(systemRandom, 32),
          dnsServers: [zone.address],
          // Signed zones prove themselves; carol.test has nobody but the one name server to speak for it.
          minAssurance: "single",
          trustAnchors,
          allowedSpecialNames: ["test"],
        },
        { events, reach: zone.reach },
      );
      onClose(service.close);
      await service.ready();
      const [first, ...others] = await addClients(service, appName, `${app}/callback`);
      serviceDoor.answerWith(service.fetch);
      appDoor.answerWith(
        createApp({ origin: app, issuer, client: first, zone, domains, otherApp }),
      );
      return [first, ...others];
    },
  };
}

async function addClients(
  { clients }: Service,
  appName: string,
  redirectUri: string,
): Promise<[DemoClient, DemoClient, DemoClient]> {
  async function add(
    name: string,
    type: DemoClient["type"],
    consent: DemoClient["consent"],
  ): Promise<DemoClient> {
    const registration = {
      type,
      application_type: "web" as const,
      redirect_uris: [redirectUri],
      scope: "openid",
      consent,
    };
    const { client_id, client_secret } = await clients.add({ name, ...registration });
    return { client_id, client_secret, ...registration };
  }
  return [
    await add(appName, "confidential", "first"),
    await add(`${appName} without questions`, "confidential", "never"),
    await add(`${appName} without a secret`, "public", "first"),
  ];
}

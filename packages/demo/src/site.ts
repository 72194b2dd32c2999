// One of the demo's two sites: a service, and an app whose visitors sign in through it.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createService, type Overrides, type Service, type ServiceConfig } from "domain-signin";
import { createApp } from "./app/app.ts";
import { DemoError } from "./demo-error.ts";
import type { DemoClient } from "./description.ts";
import { openDoor } from "./door.ts";
import type { Zone } from "./zones/zone.ts";

export interface Site {
  readonly issuer: string;
  /** The address of its app. */
  readonly app: string;
  /**
   * Resolves when all of it answers, to the clients of the service: the app is the first of them,
   * the developer's own app the last. Rejects with `DemoError` if `redirectUri` is not accepted.
   */
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
  /** Of one more client, for the developer's own app. */
  readonly redirectUri?: string | undefined;
  readonly zone: Zone;
  readonly domains: readonly string[];
  readonly trustAnchors: ServiceConfig["trustAnchors"];
  readonly log: NonNullable<Overrides["log"]>;
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
    async start({
      name,
      folder,
      appName,
      otherApp,
      redirectUri,
      zone,
      domains,
      trustAnchors,
      log,
    }) {
      const service = createService(
        {
          issuer,
          database: `sqlite:${join(folder, `${name}.db`)}`,
          secret: randomBytes(32).toString("base64url"),
          dnsServers: [zone.address],
          // Signed zones prove themselves; carol.test has nobody but the one name server to speak for it.
          minAssurance: "single",
          trustAnchors,
          allowedSpecialNames: ["test"],
        },
        { log, reach: zone.reach },
      );
      onClose(service.close);
      await service.ready();
      const [first, ...others] = await addClients(service, appName, `${app}/callback`);
      if (redirectUri !== undefined) others.push(await addOwnClient(service, redirectUri));
      serviceDoor.answerWith(service.fetch);
      appDoor.answerWith(
        createApp({ origin: app, issuer, client: first, zone, domains, otherApp }),
      );
      return [first, ...others];
    },
  };
}

/** A public client: a secret that anybody can read on the screen would protect nothing. */
async function addOwnClient({ clients }: Service, redirectUri: string): Promise<DemoClient> {
  const registration = {
    type: "public" as const,
    application_type: /^https?:/i.test(redirectUri) ? ("web" as const) : ("native" as const),
    redirect_uris: [redirectUri],
    scope: "openid",
    consent: "first" as const,
  };
  try {
    const { client_id } = await clients.add({ name: "Your app", ...registration });
    return { client_id, client_secret: null, ...registration };
  } catch (error) {
    // In the words of the service: "redirect_uris (--redirect-uri) URI is not …".
    if (error instanceof Error && error.name === "OperatorError")
      throw new DemoError(
        error.message.replace("redirect_uris (--redirect-uri)", "--redirect-uri"),
      );
    throw error;
  }
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

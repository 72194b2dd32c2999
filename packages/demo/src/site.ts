// One of the demo's two sites: a service, and an app whose users sign in through it.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createService, type Overrides, type Service, type ServiceConfig } from "domain-signin";
import { addClient } from "./add-client.ts";
import { createApp } from "./app/app.ts";
import { DemoError } from "./demo-error.ts";
import type { DemoClient } from "./description.ts";
import { reservePort } from "./reserved-port.ts";
import { readSaved, type SavedSite, writeSaved } from "./saved.ts";
import type { Zone } from "./zones/zone.ts";

export interface Site {
  readonly issuer: string;
  /** The URL of the site's app. */
  readonly app: string;
  /**
   * Resolves to the clients of the service when service and app accept requests. The app is the first
   * client, the developer's own app the last. Rejects with `DemoError` if `redirectUri` is invalid.
   */
  start(setup: SiteSetup): Promise<readonly DemoClient[]>;
}

export interface SitePlace {
  /** Name of the site's files in `folder`. */
  readonly name: string;
  readonly folder: string;
  readonly port?: number | undefined;
  readonly appPort?: number | undefined;
}

export interface SiteSetup {
  /** The client name that the service's pages show. */
  readonly appName: string;
  /** The URL of the other site's app. */
  readonly otherApp: string;
  /** Redirect URI of one more client, for the developer's own app. */
  readonly redirectUri?: string | undefined;
  readonly zone: Zone;
  readonly domains: readonly string[];
  readonly trustAnchors: ServiceConfig["trustAnchors"];
  readonly log: NonNullable<Overrides["log"]>;
}

/**
 * Opens the ports before anything answers there: the service needs its own URL, and the clients need
 * the app's. The host is a name, because passkeys do not work on an IP address.
 */
export async function openSite(
  { name, folder, port, appPort }: SitePlace,
  onClose: (closer: () => Promise<unknown>) => void,
): Promise<Site> {
  const file = join(folder, `${name}.json`);
  const saved = readSaved<SavedSite>(file);
  const serviceListener = await reservePort(choosePort("--issuer-port", port, saved?.port));
  onClose(serviceListener.close);
  const appListener = await reservePort(choosePort("--port", appPort, saved?.appPort));
  onClose(appListener.close);
  const issuer = `http://localhost:${serviceListener.port}`;
  const app = `http://localhost:${appListener.port}`;
  return {
    issuer,
    app,
    async start({ appName, otherApp, redirectUri, zone, domains, trustAnchors, log }) {
      const secret = saved?.secret ?? randomBytes(32).toString("base64url");
      const service = createService(
        {
          issuer,
          database: `sqlite:${join(folder, `${name}.db`)}`,
          secret,
          dnsServers: [zone.address],
          // carol.test is unsigned, and the demo has only one name server to query.
          minAssurance: "single",
          trustAnchors,
          allowedSpecialNames: ["test"],
        },
        { log, reach: zone.reach },
      );
      onClose(service.close);
      await service.ready();
      const clients = saved?.clients ?? (await addClients(service, appName, `${app}/callback`));
      const ownClient = await openOwnClient(service, redirectUri, saved?.ownClient ?? null);
      writeSaved(file, {
        port: serviceListener.port,
        appPort: appListener.port,
        secret,
        clients,
        ownClient,
      });
      serviceListener.setHandler(service.fetch);
      appListener.setHandler(
        createApp({ origin: app, issuer, client: clients[0], zone, domains, otherApp }),
      );
      return ownClient === null ? clients : [...clients, ownClient];
    },
  };
}

/** Data that a folder has kept are of no use at another port. */
function choosePort(
  option: string,
  port: number | undefined,
  saved: number | undefined,
): number | undefined {
  if (saved === undefined || !port || port === saved) return saved ?? port;
  throw new DemoError(
    `the data in the folder belong to port ${saved}; leave out ${option}, or choose another folder with --data`,
  );
}

async function openOwnClient(
  service: Service,
  redirectUri: string | undefined,
  saved: DemoClient | null,
): Promise<DemoClient | null> {
  if (redirectUri === undefined) return null;
  if (saved?.redirect_uris[0] === redirectUri) return saved;
  return addOwnClient(service, redirectUri);
}

/** A public client, because a secret that is printed on the screen would protect nothing. */
async function addOwnClient({ clients }: Service, redirectUri: string): Promise<DemoClient> {
  const registration = {
    type: "public" as const,
    application_type: /^https?:/i.test(redirectUri) ? ("web" as const) : ("native" as const),
    redirect_uris: [redirectUri],
    scope: "openid",
    consent: "first" as const,
  };
  try {
    const { client_id } = await addClient(clients, { name: "Your app", ...registration });
    return { client_id, client_secret: null, ...registration };
  } catch (error) {
    // The service's message begins with "redirect_uris (--redirect-uri)"; the demo has only the option.
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
    const { client_id, client_secret } = await addClient(clients, { name, ...registration });
    return { client_id, client_secret, ...registration };
  }
  return [
    await add(appName, "confidential", "first"),
    await add(`${appName} without consent`, "confidential", "never"),
    await add(`${appName} without a secret`, "public", "first"),
  ];
}

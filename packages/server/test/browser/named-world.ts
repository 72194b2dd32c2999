// A service and a client that Chromium reaches at the names that they have on the Internet, over TLS.

import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { makeSelfSigned } from "../support/certificates.ts";
import { launchChromium } from "../support/chromium.ts";
import { startTestService } from "../support/service.ts";
import { startCallback } from "./callback.ts";
import type { World } from "./world.ts";

export const SERVICE_HOST = "auth.example.com";
export const CLIENT_HOST = "notes.example";

export async function openNamedWorld(
  options: Parameters<typeof startTestService>[0],
): Promise<World> {
  const issuer = `https://${SERVICE_HOST}`;
  const config = { ...options?.config, issuer };
  const [at, callback] = await Promise.all([
    startTestService({ ...options, config }),
    startCallback(),
  ]);
  const front = await startFront({
    [SERVICE_HOST]: Number(new URL(at.issuer).port),
    [CLIENT_HOST]: Number(new URL(callback.redirectUri).port),
  });
  const browser = await launchChromium(front.switches);
  const redirectUri = `https://${CLIENT_HOST}/callback`;
  const client = await at.addClient({ name: "Notes", redirect_uris: [redirectUri] });
  return {
    ...{ browser, client },
    at: { ...at, issuer },
    callback: { ...callback, redirectUri },
    async close() {
      await browser.close();
      await front.close();
      await Promise.all([at.close(), callback.close()]);
    },
  };
}

interface Front {
  /** With these, Chromium connects to this server for the names, and accepts its certificate. */
  readonly switches: readonly string[];
  close(): Promise<void>;
}

/** Passes connections for a name on to the port of the name on this machine. */
async function startFront(ports: Readonly<Record<string, number>>): Promise<Front> {
  const certificate = makeSelfSigned("localhost");
  const sockets = new Set<Socket>();
  const server = createServer({ ...certificate, ALPNProtocols: ["http/1.1"] }, (socket) => {
    const { servername } = socket as TLSSocket & { servername: string | false };
    const inner = connect(ports[servername || ""] ?? 0, "127.0.0.1");
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { publicKey } = new X509Certificate(certificate.cert);
  const spki = publicKey.export({ type: "spki", format: "der" });
  const rules = Object.keys(ports).map((name) => `MAP ${name}:443 127.0.0.1:${port}`);
  return {
    switches: [
      `--host-resolver-rules=${rules.join(", ")}`,
      `--ignore-certificate-errors-spki-list=${createHash("sha256").update(spki).digest("base64")}`,
    ],
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

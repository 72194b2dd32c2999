// The demo's stand-in for a DNS panel, alone.

import { addZoneEditor } from "domain-signin-demo/app/zone-editor";
import { listenForWeb } from "domain-signin-demo/web-listener";
import type { Zone } from "domain-signin-demo/zones/zone";
import { Hono } from "hono";

export async function startZoneEditor(
  zone: Zone,
): Promise<{ url: string; close(): Promise<void> }> {
  const app = new Hono();
  addZoneEditor(app, { zone, domains: [] });
  const { port, close } = await listenForWeb((request) => app.fetch(request), {
    host: "127.0.0.1",
    port: 0,
  });
  return { url: `http://localhost:${port}/zone`, close };
}

// The demo's stand-in for a DNS panel, alone.

import { Hono } from "hono";
import { listenForWeb } from "../../src/demo/web-listener.ts";
import type { Zone } from "../../src/demo/zone.ts";
import { addZoneEditor } from "../../src/demo/zone-editor.ts";

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

// The zone editor: takes the place of a DNS provider's control panel.

import type { Hono } from "hono";
import { z } from "zod";
import type { Zone } from "../zones/zone.ts";
import { isForm, json, page, readForm, seeOther } from "./http.ts";
import { emptyRecord, type TypedRecord, zonePage } from "./zone-page.ts";

const keyInput = z.object({ name: z.string(), type: z.string(), value: z.string() });
const recordInput = keyInput.extend({ ttl: z.number().default(300) });

/** Adds `/zone` for browsers and `/zone/records` for scripts, which may use either path. */
export function addZoneEditor(
  app: Hono,
  {
    zone,
    domains,
  }: {
    zone: Pick<Zone, "address" | "records" | "add" | "remove">;
    domains: readonly string[];
  },
): void {
  function showZone(status: number, typed: TypedRecord, mistake?: string): Promise<Response> {
    const { address } = zone;
    return page(status, zonePage({ domains, records: zone.records(), address, typed, mistake }));
  }

  async function change(request: Request, act: (body: unknown) => Response): Promise<Response> {
    const body: unknown = await request.json().catch(() => undefined);
    if (body === undefined) return refuse(400, "The request body is not JSON.");
    try {
      return act(body);
    } catch (error) {
      if (error instanceof z.ZodError) return refuse(400, z.prettifyError(error));
      return refuse(400, messageOf(error));
    }
  }

  function addJson(request: Request): Promise<Response> {
    return change(request, (body) => {
      const record = recordInput.parse(body);
      zone.add(record);
      return json(201, record);
    });
  }

  function removeJson(request: Request): Promise<Response> {
    return change(request, (body) =>
      zone.remove(keyInput.parse(body))
        ? new Response(null, { status: 204 })
        : refuse(404, "The record does not exist."),
    );
  }

  async function editByForm(request: Request): Promise<Response> {
    const form = await readForm(request);
    const field = (name: string) => form.get(name)?.trim() ?? "";
    const typed = {
      name: field("name"),
      type: field("type"),
      value: field("value"),
      ttl: field("ttl"),
    };
    try {
      if (field("change") === "delete") zone.remove(typed);
      else zone.add({ ...typed, ttl: readTtl(typed.ttl) });
    } catch (error) {
      return showZone(400, typed, messageOf(error));
    }
    return seeOther("/zone");
  }

  app.get("/zone", () => showZone(200, emptyRecord));
  app.get("/zone/records", () => json(200, zone.records()));
  app.post("/zone", ({ req }) => (isForm(req.raw) ? editByForm(req.raw) : addJson(req.raw)));
  app.post("/zone/records", ({ req }) => addJson(req.raw));
  app.delete("/zone", ({ req }) => removeJson(req.raw));
  app.delete("/zone/records", ({ req }) => removeJson(req.raw));
}

function readTtl(text: string): number {
  if (!/^[0-9]+$/.test(text)) throw new Error(`The TTL "${text}" is not a number of seconds.`);
  return Number(text);
}

function refuse(status: number, description: string): Response {
  const error = status === 404 ? "not_found" : "invalid_request";
  return json(status, { error, error_description: description });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// What a test of lying resolvers asks of the service: its accounts, and what an app gets without a page.

import type { UserAgent } from "domain-signin-demo/browser/user-agent";
import type { AssuredService } from "./assured-service.ts";
import { authorizationUrl } from "./sign-in.ts";

type World = Pick<AssuredService, "at" | "client">;

/** The only record of the zone; null for none. */
export function zoneBecomes(
  { at: { zone } }: Pick<World, "at">,
  name: string,
  value: string | null,
): void {
  for (const record of zone.records()) zone.remove(record);
  if (value !== null) zone.add({ name, type: "TXT", value, ttl: 300 });
}

/** Each account in the order of creation: "awake", "asleep" or "ended". */
export async function accountsOf({ at }: Pick<World, "at">): Promise<readonly string[]> {
  const [rows] = JSON.parse(await at.dump());
  return rows
    .toSorted((one: Row, other: Row) => one.created_at - other.created_at)
    .map((row: Row) => (row.ended_at !== null ? "ended" : row.asleep_since ? "asleep" : "awake"));
}
interface Row {
  readonly created_at: number;
  readonly ended_at: number | null;
  readonly asleep_since: number | null;
}

/** What an app gets that asks with prompt=none: "code", or the error. */
export async function silently({ at, client }: World, agent: UserAgent): Promise<string> {
  const url = authorizationUrl(at, client, { prompt: "none" });
  const page = await agent.open(url, { stopAt: client.redirectUri });
  const answer = new URL(page.url).searchParams;
  return answer.has("code") ? "code" : String(answer.get("error"));
}

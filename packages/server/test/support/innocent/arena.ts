// A service of any build for one attack: with zones, an app, and people who try to get through.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JobResult, type Load, type LoadRequest, startLoad } from "../load/load.ts";
import { freePort } from "../serve.ts";
import type { TestClient } from "../service.ts";
import { authorizationUrl, leaveSessions } from "../sign-in.ts";
import { type AllZones, startAllZones } from "./all-zones.ts";
import {
  addClient,
  browserAt,
  type Owner,
  type ServiceProcess,
  startServiceProcess,
} from "./innocent-world.ts";
import { setUp, walk } from "./walk.ts";

export interface Arena {
  readonly service: ServiceProcess;
  readonly zones: AllZones;
  readonly client: TestClient;
  /** The domain is typed in. A long `state` is stored. */
  typed(domain: string, state?: string): LoadRequest;
  owner(domain: string, address: string): Promise<Owner>;
  /** What becomes of somebody new at this address. */
  newcomer(address: string): Promise<string>;
  /** What becomes of an owner who signs in in a browser that is known, and publishes what is asked. */
  challenge(owner: Owner): Promise<string>;
  /** Sends so many requests, in turn from these addresses. */
  send(request: LoadRequest, addresses: readonly string[], count: number): Promise<JobResult>;
  close(): Promise<void>;
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** Before an attack, on a busy machine. */
const RETRIES = 20;
const SOME_SP = "https://sp.silent.test";

const outcomeOf = (walking: Promise<unknown>) =>
  walking.then(
    () => "gets through",
    (error: Error) => `is refused: ${error.message.slice(0, 200)}`,
  );

export async function startArena(cli: string, { isProxyDeclared = true } = {}): Promise<Arena> {
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-attack-"));
  const zones = await startAllZones(SOME_SP);
  const port = await freePort();
  const service = await startServiceProcess(
    { folder, port, dns: zones.port },
    { cli, isProxyDeclared },
  );
  const { issuer } = service;
  const client = await addClient(service);
  const url = authorizationUrl({ issuer }, client);
  const load: Load = startLoad();
  let newcomers = 0;
  const wayOf = (domain: string, agent: Owner["agent"]) => ({ zones, client, agent, domain, url });
  return {
    ...{ service, zones, client },
    typed(domain, state = "state") {
      const query = authorizationUrl({ issuer }, client, { state }).split("?")[1];
      const headers = { ...FORM, origin: issuer };
      return { method: "POST", path: `/sign-in?${query}`, headers, body: `domain=${domain}` };
    },
    async owner(domain, address) {
      const agent = browserAt(address);
      const made = await setUp({ ...wayOf(domain, agent), retries: RETRIES });
      // Nothing of this minute counts any more.
      await service.call("clock", "advance", 61);
      return { domain, agent, ...made };
    },
    newcomer(address) {
      newcomers++;
      return outcomeOf(walk(wayOf(`new${newcomers}.test`, browserAt(address))));
    },
    challenge({ domain, agent }) {
      leaveSessions(agent, issuer);
      return outcomeOf(walk(wayOf(domain, agent)));
    },
    send(request, addresses, count) {
      const requests = addresses.map((address) => ({
        ...request,
        headers: { ...request.headers, "x-forwarded-for": address },
      }));
      return load.run({ port, requests, count, connections: 8 });
    },
    async close() {
      await load.close();
      await service.close();
      await zones.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

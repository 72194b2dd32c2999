// A `serve` process behind a declared proxy, with what its own metrics say of its use of the machine.

import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import { command } from "../command.ts";
import { type RootedZone, startRootedZone } from "../rooted-zone.ts";
import { type Serving, serve } from "../serve.ts";
import type { TestClient } from "../service.ts";
import { answerPage, authorizationUrl } from "../sign-in.ts";

const REDIRECT_URI = "https://app.example.org/callback";

export interface Usage {
  /** Processor time since the start. */
  readonly cpuMs: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly descriptors: number;
}

export interface ServedWorld {
  readonly at: Serving;
  readonly port: number;
  readonly zone: RootedZone;
  readonly client: TestClient;
  /** The client_id of a public client, which anybody may send. */
  readonly publicId: string;
  usage(): Promise<Usage>;
  /** Signs in as a person would, who publishes what is asked, and redeems the code. `parameters` are of the request. */
  signIn(
    domain: string,
    options?: {
      readonly agent?: UserAgent;
      readonly parameters?: Readonly<Record<string, string>>;
    },
  ): Promise<Record<string, unknown>>;
  /** A form post of the client, which proves its secret. */
  token(
    parameters: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  close(): Promise<void>;
}

/** `cli` is another build of the program, `args` are further ones of `serve`. */
export async function startServedWorld(
  options: { cli?: string | undefined; args?: readonly string[] } = {},
): Promise<ServedWorld> {
  const zone = await startRootedZone(["alice.test"]);
  const { args: more = [] } = options;
  const args = ["--trusted-proxies", "127.0.0.1", "--management-port", "0", ...more];
  const at = await serve(zone, [], { args, ...(options.cli && { cli: options.cli }) });
  const said: { port: number; management_port: number } = JSON.parse(at.output().stdout);
  const client = await addClient(at);
  const { id: publicId } = await addClient(at, "--public");
  const basic = Buffer.from(`${client.id}:${client.secret}`).toString("base64");

  async function token(parameters: Record<string, string>) {
    const response = await fetch(`${at.issuer}/oauth/token`, {
      method: "POST",
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams(parameters),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  return {
    ...{ at, port: said.port, zone, client, publicId, token },
    async usage() {
      const response = await fetch(`http://127.0.0.1:${said.management_port}/metrics`);
      const text = await response.text();
      const value = (name: string) => Number(new RegExp(`^${name} (.+)$`, "m").exec(text)?.[1]);
      return {
        cpuMs: value("process_cpu_seconds_total") * 1000,
        rssMb: value("process_resident_memory_bytes") / 2 ** 20,
        heapMb: value("nodejs_heap_size_used_bytes") / 2 ** 20,
        descriptors: value("process_open_fds"),
      };
    },
    async signIn(domain, { agent = createUserAgent(), parameters = {} } = {}) {
      const way = { domain, stopAt: REDIRECT_URI };
      let page = await agent.open(authorizationUrl(at, client, parameters), way);
      for (let steps = 0; !page.stopped && steps < 8; steps++) {
        page = await answerPage({ zone }, agent, page, way);
      }
      const code = new URL(page.url).searchParams.get("code") ?? "";
      const redeemed = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
      const { status, body } = await token(redeemed);
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body;
    },
    async close() {
      await at.close();
      await zone.close();
    },
  };
}

async function addClient({ folder }: Serving, ...more: string[]): Promise<TestClient> {
  const args = ["clients", "add", "--json", "--name", "App", "--redirect-uri", REDIRECT_URI];
  const { stdout } = await command([...args, "--consent", "never", ...more], { folder });
  const { client_id: id, client_secret: secret } = JSON.parse(stdout);
  return { id, secret, redirectUri: REDIRECT_URI };
}

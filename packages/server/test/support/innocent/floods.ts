// The floods of strangers: each request that costs something, and from where it comes.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Page } from "domain-signin-demo/browser/user-agent";
import type { LoadRequest } from "../load/load.ts";
import { authorizationUrl } from "../sign-in.ts";
import { browserAt, type World } from "./innocent-world.ts";

const PROGRAM = fileURLToPath(new URL("./flood-process.mjs", import.meta.url));

export type Aim = "nobody" | "its domain" | "its DNS host" | "one host";

export interface Target {
  readonly world: World;
  readonly aim: string;
  /** That of the innocent. */
  readonly domain: string;
  /** From where the flood comes. */
  readonly addresses: readonly string[];
}

export interface Flood {
  readonly name: string;
  readonly aims: readonly Aim[];
  /** So many in a minute reach its limit. */
  readonly perMinute: number;
  requests(target: Target): Promise<LoadRequest[]>;
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const AIMS_OF_DOMAINS: readonly Aim[] = ["nobody", "its domain", "its DNS host"];
const BEGUN = 4;
const MAX_STEPS = 20;
let begunSoFar = 0;
/** So much of a request is stored at most. */
const LONG_STATE = "s".repeat(1500);

const queryOf = ({ issuer, client }: World, more: Record<string, string> = {}) =>
  authorizationUrl({ issuer }, client, more).split("?")[1] ?? "";

/** Names that nobody has typed before. */
function namesAt({ aim, domain }: Target): string {
  if (aim === "its domain") return `n{random}.${domain}`;
  const host = /^h\d+-/.exec(domain)?.[0] ?? "";
  return aim === "its DNS host" ? `${host}f{random}.test` : "f{random}.test";
}

function typed(world: World, domain: string, more: Record<string, string> = {}): LoadRequest {
  const headers = { ...FORM, origin: world.issuer };
  const query = queryOf(world, { state: LONG_STATE, ...more });
  return { method: "POST", path: `/sign-in?${query}`, headers, body: `domain=${domain}` };
}

/** Set-ups that a stranger has begun, with what the browser of each would send. */
async function begun(target: Target) {
  const { world, addresses } = target;
  begunSoFar++;
  const all = Array.from({ length: BEGUN }, async (_, number) => {
    const agent = browserAt(addresses[number % addresses.length] ?? "");
    const domain = namesAt(target).replace("{random}", `${begunSoFar}-${number}`);
    let page = await agent.open(authorizationUrl(world, world.client));
    for (let steps = 0; page.step !== "dns-setup"; steps++) {
      if (steps === MAX_STEPS) throw new Error(`the flood is at ${page.step} ${page.status}`);
      if (page.step === "domain") page = await agent.submit(page, "domain-form", { domain });
      else if (page.step !== "set-up-passkey") page = await agent.open(page.url);
      else page = await agent.submit(page, "without-passkey-form");
    }
    return { agent, page, cookie: agent.cookies.header(page.url) ?? "" };
  });
  return Promise.all(all);
}

function formOf({ forms }: Page, name: string): string {
  const controls = forms.find(({ id }) => id === name)?.controls.filter(({ isOn }) => isOn) ?? [];
  const pairs = controls.map(({ name, value }): [string, string] => [name, value]);
  return new URLSearchParams(pairs).toString();
}

/** A URL of a host that answers late, or of hosts whose addresses nobody tells. */
const documentAt = ({ aim, world }: Target, path: string) =>
  `${aim === "one host" ? world.slowHost : "https://d{random}.silent.test"}/${path}`;

export const FLOODS: readonly Flood[] = [
  {
    ...{ name: "first pages", aims: ["nobody"], perMinute: 30_000 },
    requests: async ({ world }) => [{ path: `/oauth/authorize?${queryOf(world)}` }],
  },
  {
    ...{ name: "set-ups that are begun", aims: AIMS_OF_DOMAINS, perMinute: 6000 },
    requests: async (target) => [typed(target.world, namesAt(target))],
  },
  {
    ...{ name: "DNS challenges that are begun", aims: ["nobody", "its domain"], perMinute: 6000 },
    async requests({ world, aim, domain }) {
      if (aim === "its domain") return [typed(world, domain)];
      return world.returning.many.map((_, number) => typed(world, `returning${number}.test`));
    },
  },
  {
    ...{ name: "checks of a record", aims: AIMS_OF_DOMAINS, perMinute: 1200 },
    async requests(target) {
      return (await begun(target)).map(({ page, cookie }) => ({
        ...{ method: "POST", path: new URL(page.url).pathname, body: formOf(page, "check-form") },
        headers: { ...FORM, origin: target.world.issuer, cookie },
      }));
    },
  },
  {
    ...{ name: "looks at a handed-on page", aims: AIMS_OF_DOMAINS, perMinute: 1200 },
    async requests(target) {
      const all = (await begun(target)).map(async ({ agent, page }) => {
        const { pathname, search } = new URL(
          (await agent.open(page.link("hand-on"))).text("set-up-link"),
        );
        return { path: `${pathname}${search}` };
      });
      return Promise.all(all);
    },
  },
  {
    ...{ name: "checks of a domain", aims: AIMS_OF_DOMAINS, perMinute: 1200 },
    requests: async (target) => [{ path: `/check?domain=${namesAt(target)}` }],
  },
  {
    ...{ name: "names below a domain without account", aims: ["nobody"], perMinute: 400 },
    requests: async ({ world }) => [typed(world, "n{random}.without-account.test")],
  },
  {
    ...{ name: "domains of external providers", aims: ["nobody", "one host"], perMinute: 1200 },
    async requests({ world, aim }) {
      return [typed(world, `e{random}.${aim === "one host" ? "external" : "externals"}.test`)];
    },
  },
  {
    ...{ name: "documents of clients", aims: ["nobody", "one host"], perMinute: 1200 },
    async requests(target) {
      const query = queryOf(target.world, { client_id: documentAt(target, "c{n}.json") });
      return [{ path: `/oauth/authorize?${asTemplate(query)}` }];
    },
  },
  {
    ...{ name: "documents of resources", aims: ["nobody", "one host"], perMinute: 1200 },
    async requests(target) {
      const request = typed(target.world, "f{random}.test", {
        resource: documentAt(target, "r{n}"),
      });
      return [{ ...request, path: asTemplate(request.path) }];
    },
  },
  {
    ...{ name: "registrations of clients", aims: ["nobody"], perMinute: 600 },
    async requests() {
      const members = { redirect_uris: ["https://{random}.example/callback"] };
      const headers = { "content-type": "application/json" };
      return [{ method: "POST", path: "/oauth/register", headers, body: JSON.stringify(members) }];
    },
  },
  {
    ...{ name: "refused token requests", aims: ["nobody"], perMinute: 6000 },
    async requests({ world: { client } }) {
      const guess = `client_id=${client.id}&client_secret=dss_{random}`;
      const body = `grant_type=authorization_code&code=dsc_{random}&${guess}`;
      return [{ method: "POST", path: "/oauth/token", headers: FORM, body }];
    },
  },
];

/** The placeholders, which a query has encoded. */
function asTemplate(text: string): string {
  return text.replaceAll("%7B", "{").replaceAll("%7D", "}");
}

export const SOURCES = [
  ...["1 network", "48 networks", "1,000 networks", "as many networks as places"],
  ...["browsers of one domain", "browsers of 50 domains", "one /48", "its own address"],
] as const;

/** More than any room has. */
const PLACES = 10_000;
const SIZES: Readonly<Record<string, number>> = {
  ...{ "1 network": 1, "48 networks": 48, "1,000 networks": 1000 },
  "as many networks as places": PLACES,
};

/** The addresses and the cookies of a flood. Those of another `number` are other networks. */
export function sourceOf(
  source: string,
  number: number,
  { world, own }: { world: World; own: string },
) {
  const at = (index: number) => `${20 + (number % 80)}.${(index >> 8) & 255}.${index & 255}.9`;
  const inSite = (index: number) => `2a00:${(number + 1).toString(16)}:1:${index.toString(16)}::9`;
  const list = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => make(index));
  const { one, many } = world.returning;
  switch (source) {
    case "browsers of one domain":
      return { addresses: list(48, at), cookies: one };
    case "browsers of 50 domains":
      return { addresses: list(48, at), cookies: many };
    case "one /48":
      return { addresses: list(4096, inSite), cookies: [] };
    case "its own address":
      return { addresses: [own], cookies: [] };
    default:
      return { addresses: list(SIZES[source] ?? 1, at), cookies: [] };
  }
}

export interface FloodResult {
  readonly statuses: Readonly<Record<number, number>>;
  readonly sent: number;
  readonly answered: number;
  /** Waited for others, or for as long as the flood lasted. */
  readonly held: number;
  /** Of one processor. */
  readonly cpuShare: number;
}

export interface FloodJob {
  readonly port: number;
  readonly requests: readonly LoadRequest[];
  readonly addresses: readonly string[];
  readonly cookies: readonly string[];
  readonly inFlight: number;
  readonly burst: number;
  readonly perMinute: number;
  readonly burstMs: number;
}

export interface Flooding {
  /** Resolves when the first burst is answered, or has had its time. */
  begin(job: FloodJob): Promise<void>;
  end(): Promise<FloodResult>;
  close(): Promise<void>;
}

export function startFlooding(): Flooding {
  const child = fork(PROGRAM, { execArgv: [] });
  const gone = once(child, "exit");
  async function ask<T>(message: FloodJob | "stop"): Promise<T> {
    const answered = once(child, "message");
    child.send(message);
    const ended = gone.then(() => {
      throw new Error("the flood has ended");
    });
    const [answer] = (await Promise.race([answered, ended])) as [T];
    return answer;
  }
  return {
    begin: async (job) => void (await ask(job)),
    end: async () => (await ask<{ ended: FloodResult }>("stop")).ended,
    async close() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

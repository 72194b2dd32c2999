// The servers of a benchmark of sign-ins: each with people who have signed in before, and started anew for each flow.

import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, mkdirSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { createBrowser } from "./browser.mjs";
import { end, folder, here, SECRET, start } from "./contender.mjs";
import { CLIENT } from "./others/ready.mjs";
import { OTHER_FLOWS, REDIRECT_URI, SET_UP_WITH_PASSKEY, signIn } from "./sign-in-flows.mjs";

const ISSUER = "http://localhost:8080";
/** People who set up their accounts at the same time, before anything is measured. */
const AT_ONCE = 4;

let started = 0;

/** A build of the service, which registers the app and the people itself. Its people have passkeys. */
export async function ownServer({ name, cli }, { domains, zones, authenticator }) {
  const seeded = join(folder, name);
  mkdirSync(seeded);
  const database = ["--database", "sqlite:store.db"];
  const client = addClient(cli, { database, cwd: seeded });
  const env = { DOMAIN_SIGNIN_TRUST_ANCHORS: zones.trustAnchors.join(",") };
  const args = [
    ...[cli, "serve", "--json", "--port", "0", "--issuer", ISSUER, ...database],
    ...["--dns-servers", zones.address, "--min-assurance", "single"],
    ...["--allowed-special-names", "test"],
  ];
  const world = { client, zones, authenticator };
  const service = await start(args, seeded, env);
  const people = domains.map((domain, index) => ({ domain, address: addressOf(index) }));
  await signInAll({ ...world, ...service }, people, SET_UP_WITH_PASSKEY);
  await end(service);

  /** With a copy of the database. */
  async function fresh({ nodeArgs = [], env: more = {} } = {}) {
    const own = join(folder, `${name}-${++started}`);
    cpSync(seeded, own, { recursive: true });
    const process = await start([...nodeArgs, ...args], own, { ...env, ...more });
    return { ...world, ...process, name, people: copyOf(people) };
  }
  return { name, fresh };
}

/** `kept` is where oidc-provider keeps its data: `memory` or `sqlite`. */
export async function otherServer({ name, kept }, { domains }) {
  const seeded = join(folder, `${kept}-data`);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = JSON.stringify(privateKey.export({ format: "jwk" }));
  const program = [here("others/oidc-sign-ins.mjs"), kept];
  const world = { client: CLIENT, requestPath: "/auth", tokenPath: "/token" };
  const server = await start([...program, seeded, key]);
  const people = domains.map((domain, index) => ({ domain, address: addressOf(index) }));
  await signInAll({ ...world, ...server }, people, OTHER_FLOWS.consent);
  await end(server);

  async function fresh({ env = {} } = {}) {
    const own = join(folder, `${kept}-data-${++started}`);
    cpSync(seeded, own);
    const process = await start([...program, own, key], folder, env);
    return { ...world, ...process, name, people: copyOf(people) };
  }
  return { name, fresh };
}

/** The bare server: `recorded` are the exchanges of one sign-in, which it answers with as many octets each. */
export async function bareServer(name, recorded) {
  const exchanges = [...recorded.browser, recorded.token];
  const answers = exchanges.map(({ answer: { status, headers, body } }) => {
    const own = ["connection", "date", "keep-alive", "content-length", "transfer-encoding"];
    const sent = Object.entries(headers).filter(([field]) => !own.includes(field));
    return { status, headers: Object.fromEntries(sent), octets: Buffer.byteLength(body) };
  });
  const process = await start([here("floor.mjs"), JSON.stringify({ answers })]);
  return { ...process, name, recorded };
}

/** The browser that the person has used before, or a new one. */
export function browserOf({ port }, { address, cookies }, isNew) {
  const browser = createBrowser({ port, address });
  if (!isNew) for (const [name, cookie] of cookies) browser.cookies.set(name, cookie);
  return browser;
}

/** As they were before anybody signed in with another process. */
function copyOf(people) {
  return people.map((person) => ({ ...person, cookies: new Map(person.cookies) }));
}

/** In 10.0.0.0/8; no packet is sent to it. */
export function addressOf(index) {
  return `10.${(index >> 8) & 255}.${index & 255}.1`;
}

function addClient(cli, { database, cwd }) {
  const args = ["clients", "add", "--json", "--name", "App", "--redirect-uri", REDIRECT_URI];
  const settings = ["--id-token-signed-response-alg", "ES256", "--validation-data", "false"];
  const env = { ...process.env, DOMAIN_SIGNIN_SECRET: SECRET };
  const text = execFileSync(process.execPath, [cli, ...args, ...settings, ...database], {
    ...{ cwd, env, stdio: ["ignore", "pipe", "ignore"] },
  });
  const { client_id: id, client_secret: secret } = JSON.parse(text);
  return { id, secret };
}

async function signInAll(world, people, flow) {
  const agent = new Agent({ keepAlive: true });
  const waiting = people.values();
  async function next() {
    for (const person of waiting) {
      const browser = browserOf(world, person, true);
      Object.assign(person, { browser, cookies: browser.cookies });
      await signIn({ ...world, agent }, person, flow);
      browser.close();
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  agent.destroy();
}

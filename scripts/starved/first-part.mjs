// The programs as an operator and a reader run them, each with a tenth of one processor.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { signal } from "./quota.mjs";

const [DEMO, SERVICE] = ["demo", "server"].map((name) =>
  fileURLToPath(new URL(`../../packages/${name}/dist/cli.js`, import.meta.url)),
);
/** Only end a hang: the walk takes 100 seconds, and a command 5. */
const [WALK_LIMIT_S, LIMIT_S] = [900, 300];

/** In place of the id of the client that the first command adds. */
const ID = "ID";
/** In the folder in which `serve` has run, in this order: arguments, status, and what the output has. */
const COMMANDS = [
  [
    ["clients", "add", "--name", "App", "--redirect-uri", "https://app.example.org/cb"],
    0,
    /^client_id: dsid_/,
  ],
  [["clients", "list"], 0, /^dsid_\S+ {2}confidential {2}App\n$/],
  [["clients", "show", ID], 0, /^redirect_uris: https:\/\/app\.example\.org\/cb$/m],
  [["clients", "update", ID, "--name", "Other"], 0, /^name: Other$/m],
  [["clients", "rotate-secret", ID], 0, /^client_secret: dss_/m],
  [["keys", "list"], 0, /^es256 {2}1 {2}current /m],
  [["accounts", "list"], 0, /^no accounts\n$/],
  [["backup", "copy.db"], 0, /^copy\.db is a complete backup: /],
  [["verify"], 0, /^\.\/domain-signin\.db is sound/],
  [["check-sp", "ftp://sp.example.org"], 2, /^invalid issuer "ftp:\/\/sp\.example\.org": /],
];

/** What runs beside each other, as lists of steps: a title, and `run`, which rejects if the step fails. */
export function firstPart(way, scratch) {
  const folder = join(scratch, "service");
  mkdirSync(folder);
  const at = { way, folder };
  const commands = COMMANDS.map(([args, status, output]) => ({
    title: `domain-signin ${args.join(" ")}`,
    run: () => runCommand(at, { args, status, output }),
  }));
  const serving = "domain-signin serve, from an empty folder until SIGTERM";
  return [
    [{ title: "the demo's walk", run: () => walk({ way, folder: scratch }) }],
    [{ title: serving, run: () => serve(at) }, ...commands],
  ];
}

async function walk({ way, folder }) {
  const { status, stderr } = await start(way, [DEMO, "--exit"], { folder, limitS: WALK_LIMIT_S })
    .ended;
  const isWhole = /^The walk succeeded: all \d+ steps passed\.$/m.test(stderr);
  if (status !== 0 || !isWhole) throw new Error(`status ${status}: ${stderr}`);
}

async function serve({ way, folder }) {
  // Nothing listens at the resolver's port: what `serve` needs for its start is on this machine.
  const settings = [
    "--issuer",
    "http://localhost:8080",
    "--port",
    "0",
    "--min-assurance",
    "single",
  ];
  const args = [SERVICE, "serve", "--json", "--dns-servers", "127.0.0.1:9", ...settings];
  const service = start(way, args, { folder, limitS: LIMIT_S });
  const line = await Promise.race([service.firstLine(), service.ended]);
  if (typeof line !== "string") throw new Error(`it ended before it listened: ${line.stderr}`);
  const { port, pid } = JSON.parse(line);
  const { keys } = await read(port, "/.well-known/jwks.json");
  if (!(keys.length > 0)) throw new Error("its key set is empty");
  signal(pid, "SIGTERM");
  const { status, stderr } = await service.ended;
  if (status !== 0) throw new Error(`status ${status}: ${stderr}`);
  for (const name of ["domain-signin.db", "domain-signin.secret"]) {
    if (!existsSync(join(folder, name))) throw new Error(`it made no ${name}`);
  }
}

async function read(port, path) {
  // An idle connection would keep the service for two seconds.
  const headers = { connection: "close" };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  if (response.status !== 200) throw new Error(`${path} answers with ${response.status}`);
  return response.json();
}

async function runCommand(at, { args, status: expected, output }) {
  const given = args.map((arg) => (arg === ID ? at.clientId : arg));
  const program = start(at.way, [SERVICE, ...given], { folder: at.folder, limitS: LIMIT_S });
  const { status, stdout, stderr } = await program.ended;
  // The answer of a command that succeeds is on standard output, that of the others on standard error.
  const answer = status === 0 ? stdout : stderr;
  if (status !== expected || !output.test(answer)) {
    throw new Error(`status ${status}\n${stdout}${stderr}`);
  }
  at.clientId ??= /^client_id: (\S+)$/m.exec(stdout)?.[1];
}

/** Starts a program of this repository under the quota, and ends it after the limit. */
function start(way, args, { folder, limitS }) {
  const stdio = ["ignore", "pipe", "pipe"];
  const child = way.spawn(process.execPath, args, { cwd: folder, env: environment(), stdio });
  const outputs = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (chunk) => {
      outputs[name] += chunk;
    });
  }
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    signal(-child.pid, "SIGKILL");
  }, limitS * 1000);
  const closed = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  }).finally(() => clearTimeout(timer));
  return {
    /** Resolves to what standard output has as soon as that is a line. */
    firstLine: () =>
      new Promise((resolve) => {
        child.stdout.on("data", () => outputs.stdout.includes("\n") && resolve(outputs.stdout));
      }),
    ended: closed.then((status) => {
      if (!isLate) return { status, ...outputs };
      throw new Error(`no end within ${limitS} s\n${outputs.stdout}${outputs.stderr}`);
    }),
  };
}

/** Without the settings of a service of this machine. */
function environment() {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("DOMAIN_SIGNIN_"));
  return Object.fromEntries(others);
}

// deploy/nginx.conf with the real nginx: its syntax, the headers that it sets, and a sign-in page through it.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../../src/http/listen.ts";
import { createService } from "../../src/service.ts";
import { makeAuthority } from "../support/certificates.ts";
import { accepts, findProgram } from "../support/programs.ts";
import { freePort } from "../support/serve.ts";
import { makeTestKey } from "../support/test-keys.ts";

const NGINX = findProgram("nginx", ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]);

const HOST = "auth.example.com";
const CONFIG = new URL("../../../../deploy/nginx.conf", import.meta.url);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "domain-signin-nginx-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** nginx with the configuration of the file, but for its ports and its certificate. */
async function startNginx(...ports: number[]) {
  const authority = makeAuthority();
  const { key, cert } = authority.issue(HOST);
  const port = await freePort();
  const at = (name: string) => join(folder, name);
  await Promise.all([writeFile(at("key"), key), writeFile(at("cert"), cert)]);
  const server = (await readFile(CONFIG, "utf8"))
    .replace("server 127.0.0.1:8080;", ports.map((node) => `server 127.0.0.1:${node};`).join("\n"))
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace(/ssl_certificate [^;]+/, `ssl_certificate ${at("cert")}`)
    .replace(/ssl_certificate_key [^;]+/, `ssl_certificate_key ${at("key")}`);
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const main = `daemon off; master_process off; pid ${at("pid")}; error_log ${at("error.log")};
events {}
http { access_log off; ${paths.map((name) => `${name}_temp_path ${at(name)};`).join(" ")}
${server}}`;
  await writeFile(at("nginx.conf"), main);
  const args = ["-p", folder, "-e", at("error.log"), "-c", at("nginx.conf")];
  execFileSync(String(NGINX), [...args, "-t"], { stdio: "pipe" });
  const child = spawn(String(NGINX), args, { stdio: "ignore" });
  const ended = once(child, "exit");
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(await readFile(at("error.log"), "utf8"));
    await sleep(50);
  }
  return {
    async ask(path: string, options: RequestOptions = {}) {
      const headers = { host: HOST, ...options.headers };
      const to = { host: "127.0.0.1", port, servername: HOST, ca: authority.ca, agent: false };
      const sent = request({ ...to, path, ...options, headers }).end();
      const [response] = await once(sent, "response");
      return { status: response.statusCode, headers: response.headers, body: await text(response) };
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function startNode(handle: RequestListener) {
  const upstream = createServer(handle);
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const address = upstream.address();
  return { upstream, port: typeof address === "object" && address ? address.port : 0 };
}

describe.skipIf(NGINX === undefined)("nginx with deploy/nginx.conf", () => {
  test("replaces X-Forwarded-For, removes Forwarded, and passes Host and 16 KiB of cookies on", async () => {
    const received: Record<string, unknown>[] = [];
    const cookies = Array.from({ length: 8 }, (_, n) => `c${n}=${"x".repeat(2000)}`);
    const { upstream, port } = await startNode((incoming, outgoing) => {
      received.push(incoming.headers);
      outgoing.writeHead(200, { "set-cookie": cookies }).end();
    });
    const nginx = await startNginx(port);
    try {
      const forged = { "x-forwarded-for": "198.51.100.1", forwarded: "for=198.51.100.1" };
      const answer = await nginx.ask("/", { headers: forged });
      expect(answer.status).toBe(200);
      expect(answer.headers["set-cookie"]).toEqual(cookies);
      expect(received).toMatchObject([{ host: HOST, "x-forwarded-for": "127.0.0.1" }]);
      expect(received[0]).not.toHaveProperty("forwarded");
    } finally {
      await nginx.stop();
      upstream.closeAllConnections();
      upstream.close();
    }
  });

  test("goes on with the other nodes while one of three refuses connections, also for a POST", async () => {
    const served = [0, 0];
    const nodes = await Promise.all(
      served.map((_, index) =>
        startNode((incoming, outgoing) => {
          served[index] = (served[index] ?? 0) + 1;
          incoming.resume().on("end", () => outgoing.writeHead(200).end());
        }),
      ),
    );
    const nginx = await startNginx(await freePort(), ...nodes.map(({ port }) => port));
    try {
      for (let count = 0; count < 12; count++) {
        const method = count % 2 === 0 ? "POST" : "GET";
        expect((await nginx.ask("/oauth/token", { method })).status).toBe(200);
      }
      expect(served.map((count) => count > 3)).toEqual([true, true]);
    } finally {
      await nginx.stop();
      for (const { upstream } of nodes) {
        upstream.closeAllConnections();
        upstream.close();
      }
    }
  });

  test.each<[string, string[], number]>([
    ["that trusts this machine, as by default", ["loopback"], 0],
    ["that trusts no proxy", [], 1],
  ])("serves a service %s", async (_, trustedProxies, warnings) => {
    const log: string[] = [];
    const service = createService(
      {
        ...{ issuer: `https://${HOST}`, database: "sqlite::memory:", allowedSpecialNames: [] },
        ...{ secret: "a secret for this test alone, and no other", trustAnchors: [] },
        ...{ dnsServers: ["127.0.0.1:53"], minAssurance: "single", trustedProxies },
      },
      { makeKey: makeTestKey, log: { write: (line) => log.push(line) } },
    );
    await service.ready();
    const listener = await listen(service.handle, { host: "127.0.0.1", port: 0 });
    const nginx = await startNginx(listener.port);
    try {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers } = await nginx.ask("/.well-known/openid-configuration", {
          method,
        });
        expect([status, headers["strict-transport-security"]]).toEqual([200, "max-age=31536000"]);
      }
      expect((await nginx.ask("/oauth/token", { method: "POST" })).status).toBe(400);
      expect((await nginx.ask("/account")).status).toBe(303);
      const warned = log.filter((line) => line.includes("undeclared proxy"));
      expect(warned).toHaveLength(warnings);
      for (const line of warned) expect(line).toContain("trusted_proxies");
    } finally {
      await nginx.stop();
      await listener.close();
      await service.close();
    }
  });
});

// mod_auth_openidc of Debian, in an Apache that is the proxy in front of an app.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { accepts } from "../../../packages/server/test/support/programs.ts";
import { freePort } from "../../../packages/server/test/support/serve.ts";
import { missingPackages } from "../debian.ts";
import type { Driver } from "../driver.ts";
import { APP_SECRET, NOWHERE, type World } from "../world.ts";

const CONFIGURATION = new URL("../programs/mod_auth_openidc.conf", import.meta.url);
const PACKAGES = ["libapache2-mod-auth-openidc"];
const START_MS = 20_000;

export const modAuthOpenidc: Driver = {
  name: "mod_auth_openidc (Apache)",
  debian: PACKAGES,
  source: CONFIGURATION.href,
  about: "Its sign-out also revokes the tokens. The passphrase is for its own cookies.",
  knobs: { PKCE: "`OIDCPKCEMethod S256`" },
  missing: async () => missingPackages([...PACKAGES, "apache2"]),
  async signIn(at, turned) {
    const { app, redirectUri, goodbye, visit } = at;
    const { close, log } = await startApache(at, turned ? "OIDCPKCEMethod S256" : "");
    try {
      const { html } = await visit(`${app}/`, NOWHERE);
      if (html.startsWith("<")) throw new Error(html);
      let headers = JSON.parse(html);
      const claims = { sub: headers.oidc_claim_sub, domain: headers.oidc_claim_domain };
      let signedOutAt = "";
      return {
        accessToken: String(headers.oidc_access_token),
        claims,
        userinfo: async () => claims,
        async refresh() {
          const asked = { refresh: `${app}/`, access_token: headers.oidc_access_token };
          const page = await visit(`${redirectUri}?${new URLSearchParams(asked)}`, NOWHERE);
          headers = JSON.parse(page.html);
          return String(headers.oidc_access_token);
        },
        async revoke() {
          const asked = new URLSearchParams({ logout: goodbye });
          signedOutAt = (await visit(`${redirectUri}?${asked}`, goodbye)).url;
        },
        logout: async () => signedOutAt,
        close,
      };
    } catch (error) {
      const told = log();
      await close();
      throw new Error(`${error}\n${told}`);
    }
  },
};

/** Answers the requests to the app, which is behind it and returns the headers that it gets. */
async function startApache(at: World, knobs: string) {
  const folder = mkdtempSync(join(tmpdir(), "domain-signin-apache-"));
  const behind = createServer((incoming, outgoing) => {
    outgoing.end(JSON.stringify(incoming.headers));
  });
  behind.listen(0, "127.0.0.1");
  await once(behind, "listening");
  const bound = behind.address();
  if (bound === null || typeof bound === "string") throw new Error("no port was opened");
  const port = await freePort();
  const values: Record<string, string> = {
    ...{ issuer: at.issuer, id: at.id, secret: at.secret, redirectUri: at.redirectUri },
    ...{ appSecret: APP_SECRET, appPort: new URL(at.app).port, caFile: inject("trust").caFile },
    ...{ folder, port: String(port), behind: String(bound.port) },
    modules: "/usr/lib/apache2/modules",
  };
  const text = readFileSync(fileURLToPath(CONFIGURATION), "utf8");
  const filled = text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  writeFileSync(join(folder, "conf"), `${filled}${knobs}\n${ownUser(folder)}`);

  const child = spawn("/usr/sbin/apache2", ["-DFOREGROUND", "-f", join(folder, "conf")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const close = async () => {
    await end(child);
    behind.close();
    behind.closeAllConnections();
    rmSync(folder, { recursive: true });
  };
  for (const until = Date.now() + START_MS; !(await accepts(port)); await sleep(20)) {
    if (child.exitCode === null && Date.now() < until) continue;
    await close();
    throw new Error("Apache did not start");
  }
  at.serve((incoming, outgoing) => {
    const { method, url } = incoming;
    // The fetch of Node says that it is none, and Apache does not send such requests to a sign-in.
    const headers = { ...incoming.headers, "sec-fetch-mode": "navigate" };
    const sent = request(
      { host: "127.0.0.1", port, method, path: url, headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    sent.on("error", () => outgoing.destroy());
    incoming.pipe(sent);
  });
  const log = () => readFileSync(join(folder, "log"), "utf8");
  return { close, log };
}

/** As root, Apache answers requests as another user. */
function ownUser(folder: string): string {
  if (process.getuid?.() !== 0) return "";
  const [, uid = "", gid = ""] =
    /^www-data:[^:]*:(\d+):(\d+)/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  chownSync(folder, Number(uid), Number(gid));
  return `User www-data\nGroup www-data\n`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

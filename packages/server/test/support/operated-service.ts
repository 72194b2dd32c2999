// A service on a file, and an operator who runs commands on the same file.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandOptions, command } from "./command.ts";
import type { CommandResult } from "./serve.ts";
import { startTestService, type TestClient, type TestService } from "./service.ts";
import { authorizationUrl } from "./sign-in.ts";

export interface OperatedService extends TestService {
  readonly folder: string;
  /** Runs a command beside the service. */
  operate(
    args: readonly string[],
    options?: Pick<CommandOptions, "ask" | "env">,
  ): Promise<CommandResult>;
  /** The JSON that the command answers with. Throws unless its status is 0. */
  ask(...args: string[]): Promise<unknown>;
  /** The status of userinfo with this access token. */
  userinfo(accessToken: string): Promise<number>;
  /** What `prompt=none` gives to a browser with these cookies: `code`, or the error. */
  silently(client: TestClient, cookie: string | undefined): Promise<string>;
}

export async function startOperatedService(
  options: Pick<
    NonNullable<Parameters<typeof startTestService>[0]>,
    "beforeStatement" | "sleep"
  > = {},
): Promise<OperatedService> {
  const folder = await mkdtemp(join(tmpdir(), "domain-signin-"));
  const database = `sqlite:${join(folder, "domain-signin.db")}`;
  const at = await startTestService({ ...options, database });
  const operate: OperatedService["operate"] = (args, options = {}) =>
    command(args, { folder, ...options });
  return {
    ...at,
    folder,
    operate,
    async ask(...args) {
      const { status, stdout, stderr } = await operate([...args, "--json"]);
      if (status !== 0) throw new Error(`status ${status}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async userinfo(accessToken) {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await fetch(`${at.issuer}/oauth/userinfo`, { headers })).status;
    },
    async silently(client, cookie = "") {
      const url = authorizationUrl(at, client, { prompt: "none" });
      const answer = await fetch(url, { headers: { cookie }, redirect: "manual" });
      const { searchParams } = new URL(answer.headers.get("location") ?? at.issuer);
      return searchParams.has("code") ? "code" : String(searchParams.get("error"));
    },
    async close() {
      await at.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

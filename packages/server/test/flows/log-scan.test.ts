// What a sign-in carries is noted on its way, so that the end of the run can look for it in the logs.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createUserAgent } from "domain-signin-demo/browser/user-agent";
import { expect, test } from "vitest";
import { readSecrets } from "../support/log-scan.ts";
import { startTestService } from "../support/service.ts";
import {
  authorizationUrl,
  publish,
  recoveryCodesIn,
  refresh,
  signInForTokens,
} from "../support/sign-in.ts";

const random = () => randomBytes(24).toString("base64url");

test("each secret of a sign-in is noted, with its kind", async () => {
  const at = await startTestService();
  const client = await at.addClient();
  const parameters = { state: random(), nonce: random() };
  const agent = createUserAgent();
  const domainPage = await agent.open(authorizationUrl(at, client, parameters));
  const setUp = await agent.submit(domainPage, "domain-form", { domain: "alice.test" });
  publish(at, setUp);
  const codes = await agent.submit(setUp, "check-form");
  const recovery = recoveryCodesIn(codes);
  expect(recovery).toHaveLength(10);
  const setUpCookie = (agent.cookies.header(at.issuer) ?? "")
    .split("; ")
    .find((pair) => pair.startsWith("ds_setup_"));
  await agent.submit(codes, "recovery-codes-form");
  const tokens = await signInForTokens(at, client, { agent, parameters });
  const { body } = await at.token(refresh(tokens.refresh_token), client);
  // Typed by somebody, refused, and a secret all the same.
  const typed = random();
  expect((await at.token({ grant_type: "refresh_token", refresh_token: typed })).status).toBe(400);
  const cookies = agent.cookies.header(at.issuer)?.split("; ") ?? [];
  expect(cookies).toHaveLength(5);
  await at.close();

  const path = join(process.env.LOG_SCAN_FOLDER ?? "", `${process.pid}.secrets`);
  const noted = readSecrets(readFileSync(path, "utf8"));
  const kindOf = new Map(noted.map(({ kind, value }) => [value, kind]));
  const grantId = Buffer.from(tokens.signIn.code.slice(4), "base64url").subarray(1, 17);
  const wanted: [value: unknown, kind: string][] = [
    [parameters.state, "state"],
    [parameters.nonce, "nonce"],
    [tokens.signIn.code, "code"],
    [tokens.signIn.verifier, "code verifier"],
    [grantId.toString("hex"), "grant id"],
    [client.secret, "client secret"],
    [Buffer.from(`${client.id}:${client.secret}`).toString("base64"), "Basic pair"],
    [tokens.access_token, "access token"],
    [tokens.refresh_token, "refresh token"],
    [body.access_token, "access token"],
    [body.refresh_token, "refresh token"],
    [typed, "refresh token"],
    ...recovery.map((code): [unknown, string] => [code, "recovery code"]),
    ...[...cookies, setUpCookie ?? ""].map((pair): [unknown, string] => {
      const [, kind, value] = /^ds_([a-z]+)(?:_[0-9a-f]{8}){1,2}=(.+)$/.exec(pair) ?? [];
      return [value, `${kind} cookie`];
    }),
  ];
  expect(wanted.map(([value]) => [value, kindOf.get(String(value))])).toEqual(wanted);
});

// What a sign-in carries is noted on its way, so that the end of the run can look for it in the logs.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { flow } from "../support/flow.ts";
import { readSecrets } from "../support/log-scan.ts";
import { recoveryCodesIn, refresh } from "../support/sign-in.ts";

const at = flow({ registration: {} });

const random = () => randomBytes(24).toString("base64url");

test("each secret of a sign-in is noted, with its kind", async () => {
  const parameters = { state: random(), nonce: random() };
  const setUp = await at.begin({ parameters });
  at.publish(setUp);
  const codes = await at.submit(setUp, "check-form");
  const recovery = recoveryCodesIn(codes);
  expect(recovery).toHaveLength(10);
  const pairs = () => at.cookies().cookie.split("; ");
  const setUpCookie = pairs().find((pair) => pair.startsWith("ds_setup_"));
  await at.submit(codes, "recovery-codes-form");
  const tokens = await at.tokens({ parameters });
  const { body } = await at.token(refresh(tokens.refresh_token), at.client);
  // Typed by somebody, refused, and a secret all the same.
  const typed = random();
  expect((await at.token({ grant_type: "refresh_token", refresh_token: typed })).status).toBe(400);
  const cookies = pairs();
  expect(cookies).toHaveLength(5);

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
    [at.client.secret, "client secret"],
    [Buffer.from(`${at.client.id}:${at.client.secret}`).toString("base64"), "Basic pair"],
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

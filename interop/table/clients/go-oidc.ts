// golang.org/x/oauth2 and go-oidc of Debian, in a Go program.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { randomState } from "openid-client";
import { missingPackages } from "../debian.ts";
import { type Claims, type Driver, notOffered } from "../driver.ts";
import { startProgram } from "../program.ts";

const SOURCE = new URL("../programs/go-oidc/main.go", import.meta.url);
const PACKAGES = ["golang-golang-x-oauth2-dev", "golang-github-coreos-go-oidc-dev"];
const CACHE = new URL("../../node_modules/.cache/go/", import.meta.url);

let built: Promise<string> | undefined;

export const goOidc: Driver = {
  name: "x/oauth2 and go-oidc (Go)",
  debian: PACKAGES,
  source: SOURCE.href,
  lacks: notOffered("PKCE", "revocation", "logout"),
  knobs: { ES256: "`SupportedSigningAlgs`" },
  missing: async () => missingPackages([...PACKAGES, "golang-go"]),
  async signIn({ issuer, id, secret, alg, redirectUri, visit }) {
    built ??= build();
    const program = startProgram(await built, [], { issuer, id, secret, redirectUri, alg });
    try {
      const state = randomState();
      const back = new URL((await visit(await program.ask("begin", state))).url).searchParams;
      if (back.get("state") !== state) throw new Error("another state came back");
      const { access_token: accessToken, claims } = await program.ask<{
        access_token: string;
        claims: Claims;
      }>("redeem", back.get("code") ?? "");
      return {
        accessToken,
        claims,
        userinfo: () => program.ask("userinfo"),
        refresh: () => program.ask("refresh"),
        close: program.close,
      };
    } catch (error) {
      await program.close();
      throw error;
    }
  },
};

/** The path of the program. Debian's packages are sources below /usr/share/gocode, without modules. */
async function build(): Promise<string> {
  const binary = fileURLToPath(new URL("go-oidc", CACHE));
  await promisify(execFile)("go", ["build", "-o", binary, fileURLToPath(SOURCE)], {
    env: {
      ...process.env,
      GO111MODULE: "off",
      GOPATH: "/usr/share/gocode",
      GOCACHE: fileURLToPath(new URL("build/", CACHE)),
      GOFLAGS: "",
    },
  });
  return binary;
}

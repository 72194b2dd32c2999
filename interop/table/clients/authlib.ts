// Authlib of Debian, in a Flask app.

import { fileURLToPath } from "node:url";
import { missingPackages, PYTHON } from "../debian.ts";
import { type Claims, type Driver, notOffered } from "../driver.ts";
import { startProgram } from "../program.ts";
import { APP_SECRET } from "../world.ts";

const PROGRAM = new URL("../programs/authlib_client.py", import.meta.url);

export const authlib: Driver = {
  name: "Authlib (Python)",
  debian: ["python3-authlib"],
  source: PROGRAM.href,
  about:
    "Its Flask integration signs in and asks userinfo; its `OAuth2Session` refreshes and revokes, with the same id and secret.",
  knobs: { PKCE: '`code_challenge_method="S256"`' },
  lacks: notOffered("logout"),
  missing: async () => missingPackages(["python3-authlib", "python3-flask", "python3-requests"]),
  async signIn({ issuer, id, secret, redirectUri, visit }, turned) {
    const settings = { issuer, id, secret, redirectUri, appSecret: APP_SECRET, turned };
    const program = startProgram(PYTHON, [fileURLToPath(PROGRAM)], settings);
    try {
      const { location } = await program.ask<{ location: string }>("get", "/login");
      const { pathname, search } = new URL((await visit(location)).url);
      const { json } = await program.ask<{ json: { access_token: string; claims: Claims } }>(
        "get",
        pathname + search,
      );
      return {
        accessToken: json.access_token,
        claims: json.claims,
        userinfo: () => program.ask("userinfo"),
        refresh: () => program.ask("refresh"),
        revoke: () => program.ask("revoke"),
        close: program.close,
      };
    } catch (error) {
      await program.close();
      throw error;
    }
  },
};

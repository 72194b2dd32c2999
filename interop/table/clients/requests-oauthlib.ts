// requests-oauthlib of Debian.

import { fileURLToPath } from "node:url";
import { missingPackages, PYTHON } from "../debian.ts";
import { type Driver, notOffered } from "../driver.ts";
import { startProgram } from "../program.ts";

const PROGRAM = new URL("../programs/requests_oauthlib_client.py", import.meta.url);
const PACKAGES = ["python3-requests-oauthlib"];

export const requestsOauthlib: Driver = {
  name: "requests-oauthlib (Python)",
  debian: PACKAGES,
  source: PROGRAM.href,
  lacks: notOffered("discovery", "PKCE", "ID token", "userinfo", "revocation", "logout"),
  missing: async () => missingPackages(PACKAGES),
  async signIn({ endpoints, id, secret, redirectUri, visit }) {
    const settings = { endpoints, id, secret, redirectUri };
    const program = startProgram(PYTHON, [fileURLToPath(PROGRAM)], settings);
    try {
      const back = await visit(await program.ask("begin"));
      return {
        accessToken: await program.ask<string>("redeem", back.url),
        refresh: () => program.ask("refresh"),
        close: program.close,
      };
    } catch (error) {
      await program.close();
      throw error;
    }
  },
};

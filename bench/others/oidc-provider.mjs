// oidc-provider with refresh tokens to begin with: `node oidc-provider.mjs GRANTS [FILE]`. In memory, or in a SQLite file
// with synchronous=FULL, in which each change is a commit.

import { Provider } from "oidc-provider";
import { adapterInMemory, adapterOn } from "./oidc-adapters.mjs";
import { CLIENT, printReady } from "./ready.mjs";

const [grants, file] = [Number(process.argv[2]), process.argv[3]];

const provider = new Provider("http://localhost:8080", {
  adapter: file === undefined ? adapterInMemory() : adapterOn(file),
  clients: [
    {
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      redirect_uris: ["https://app.example.org/callback"],
      grant_types: ["authorization_code", "refresh_token"],
    },
  ],
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  scopes: ["openid", "offline_access", "profile"],
  rotateRefreshToken: true,
  cookies: { keys: ["a key for benchmarks"] },
  features: { devInteractions: { enabled: false } },
});

const client = await provider.Client.find(CLIENT.id);
const tokens = [];
for (let index = 0; index < grants; index++) {
  const accountId = `account-${index}`;
  const grant = new provider.Grant({ accountId, clientId: CLIENT.id });
  grant.addOIDCScope("offline_access profile");
  const grantId = await grant.save();
  const token = new provider.RefreshToken({
    ...{ accountId, client, grantId, gty: "authorization_code", expiresWithSession: false },
    ...{ scope: "offline_access profile", authTime: Math.floor(Date.now() / 1000) },
  });
  tokens.push(await token.save());
}
const server = provider.listen(0, "127.0.0.1", () => printReady(server, "/token", tokens));

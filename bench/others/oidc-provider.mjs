// oidc-provider with refresh tokens to begin with: `node oidc-provider.mjs GRANTS [FILE]`. In memory, or in a SQLite file
// with synchronous=FULL, in which each change is a commit.

import Database from "libsql";
import { Provider } from "oidc-provider";
import { CLIENT, printReady } from "./ready.mjs";

const [grants, file] = [Number(process.argv[2]), process.argv[3]];

/** Its storage interface on a map. Its own one has room for a thousand objects, which some hundred refreshes use up. */
function adapterInMemory() {
  const entities = new Map();
  return class {
    constructor(kind) {
      this.keyOf = (id) => `${kind}:${id}`;
    }
    upsert = async (id, payload) => void entities.set(this.keyOf(id), { ...payload });
    find = async (id) => entities.get(this.keyOf(id));
    findByUid = async () => undefined;
    findByUserCode = async () => undefined;
    async consume(id) {
      entities.get(this.keyOf(id)).consumed = Math.floor(Date.now() / 1000);
    }
    destroy = async (id) => void entities.delete(this.keyOf(id));
    async revokeByGrantId(grantId) {
      for (const [key, entity] of entities) if (entity.grantId === grantId) entities.delete(key);
    }
  };
}

/** Its storage interface on one table. */
function adapterOn(path) {
  const database = new Database(path);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  database.exec(`CREATE TABLE entities (kind TEXT, id TEXT, payload TEXT, grant_id TEXT, uid TEXT,
    consumed INTEGER, expires_at INTEGER, PRIMARY KEY (kind, id))`);
  database.exec("CREATE INDEX entities_of_grant ON entities (grant_id)");
  const put = database.prepare(
    `INSERT INTO entities (kind, id, payload, grant_id, uid, expires_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
  );
  const get = database.prepare("SELECT * FROM entities WHERE kind = ? AND id = ?");
  const byUid = database.prepare("SELECT * FROM entities WHERE kind = ? AND uid = ?");
  const mark = database.prepare("UPDATE entities SET consumed = ? WHERE kind = ? AND id = ?");
  const remove = database.prepare("DELETE FROM entities WHERE kind = ? AND id = ?");
  const revoke = database.prepare("DELETE FROM entities WHERE grant_id = ?");
  const now = () => Math.floor(Date.now() / 1000);
  const read = (row) => {
    if (row === undefined || row.expires_at < now()) return undefined;
    const consumed = row.consumed === null ? {} : { consumed: row.consumed };
    return { ...JSON.parse(row.payload), ...consumed };
  };
  return class {
    constructor(kind) {
      this.kind = kind;
    }
    async upsert(id, payload, expiresIn) {
      const { grantId = null, uid = null } = payload;
      const end = now() + (expiresIn ?? 86_400);
      put.run(this.kind, id, JSON.stringify(payload), grantId, uid, end);
    }
    find = async (id) => read(get.get(this.kind, id));
    findByUid = async (uid) => read(byUid.get(this.kind, uid));
    findByUserCode = async () => undefined;
    consume = async (id) => void mark.run(now(), this.kind, id);
    destroy = async (id) => void remove.run(this.kind, id);
    revokeByGrantId = async (id) => void revoke.run(id);
  };
}

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

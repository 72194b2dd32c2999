// Where oidc-provider keeps its data: in memory, or in a SQLite file with synchronous=FULL, in which each change is a
// commit.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import Database from "libsql";

/**
 * Its storage interface on a map. Its own one has room for a thousand objects, which some hundred refreshes use up. With
 * a file, the map begins with what an earlier process left there, and is left there at the end.
 */
export function adapterInMemory(file) {
  const entities = new Map(existsSync(file ?? "") ? JSON.parse(readFileSync(file, "utf8")) : []);
  const uids = new Map();
  for (const [key, { uid }] of entities) if (uid !== undefined) uids.set(uid, key);
  if (file !== undefined) {
    process.once("SIGTERM", () => {
      writeFileSync(file, JSON.stringify([...entities]));
      process.exit();
    });
  }
  return class {
    constructor(kind) {
      this.keyOf = (id) => `${kind}:${id}`;
    }
    async upsert(id, payload) {
      entities.set(this.keyOf(id), { ...payload });
      if (payload.uid !== undefined) uids.set(payload.uid, this.keyOf(id));
    }
    find = async (id) => entities.get(this.keyOf(id));
    findByUid = async (uid) => entities.get(uids.get(uid));
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
export function adapterOn(path) {
  const database = new Database(path);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  database.exec(`CREATE TABLE IF NOT EXISTS entities (kind TEXT, id TEXT, payload TEXT, grant_id TEXT, uid TEXT,
    consumed INTEGER, expires_at INTEGER, PRIMARY KEY (kind, id))`);
  database.exec("CREATE INDEX IF NOT EXISTS entities_of_grant ON entities (grant_id)");
  database.exec("CREATE INDEX IF NOT EXISTS entities_of_uid ON entities (kind, uid)");
  process.once("SIGTERM", () => {
    // The file alone is what another process begins with.
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    process.exit();
  });
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

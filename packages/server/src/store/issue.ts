// Issues a grant, with all that is stored for it, in one commit.

import type { JoinedWrite } from "../database/engine.ts";
import { type Sql, toRecord, writeWhen } from "../database/rows.ts";
import { type ClientUse, writeUse } from "./clients.ts";
import { type Evidence, writeEvidence } from "./evidence.ts";
import { RAN_S } from "./floor.ts";
import type { Grant } from "./grant-row.ts";
import { writeEnd } from "./interactions.ts";
import { HAS_ROOM_FOR_CLIENT, type NotifiedClient, writeSessionClient } from "./logouts.ts";

/** What later changes of the row set. */
type Later =
  | ("generation" | "rotatedAt" | "refreshExpiresAt" | "revokedAt" | "attempt")
  | ("undelivered" | "redeliveredAt");

export type NewGrant = Omit<Grant, Later | "resources"> & { readonly resources?: string | null };

/** What is stored with a grant. */
export interface IssuedWith {
  readonly evidence?: Evidence | null;
  /** Stored with it, so that every app that gets a code is notified of the end of the session. */
  readonly notified?: NotifiedClient | null;
  /** The grant's own, if it registered itself: it is kept as long as its grants, unless it was removed meanwhile. */
  readonly used?: ClientUse | null;
  /** The interaction that the grant answers. It ends with the code: until then, a reload leads to the same code. */
  readonly interactionId?: string | null;
  /** What must hold at the moment of the commit, and what else belongs to it. */
  readonly others?: readonly JoinedWrite[];
}

/** Why no grant was issued. `withdrawn`: a condition of `others` did not hold. */
export type IssueRefusal = "too_many_clients" | "client_gone" | "withdrawn";

const ISSUE = `
  INSERT INTO grants (id, client_id, account_id, redirect_uri, scope, code_challenge, nonce, auth_time, amr,
    created_at, code_expires_at, generation, expires_at, control_checked_at, resources,
    sid, claims, made_ran)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0, ?12, ?13, ?14, ?15, ?16, ${RAN_S})
  ON CONFLICT (id) DO NOTHING
  RETURNING *`;

const IS_CLIENT = "SELECT 1 AS is_client FROM clients WHERE id = ?1";

export function issueStore({ engine, first, returnsRow }: Sql) {
  const standingOf = ({ id }: NewGrant) => first<Grant>("SELECT * FROM grants WHERE id = ?1", id);

  async function refusalOf({ notified, used }: IssuedWith): Promise<IssueRefusal> {
    if (used && !(await returnsRow(IS_CLIENT, used.clientId))) return "client_gone";
    if (!notified) return "withdrawn";
    const hasRoom = await returnsRow(HAS_ROOM_FOR_CLIENT, notified.sid, notified.clientId);
    return hasRoom ? "withdrawn" : "too_many_clients";
  }

  async function issueWith(grant: NewGrant, more: IssuedWith): Promise<Grant | IssueRefusal> {
    const { evidence, notified, used, interactionId, others = [] } = more;
    const written = await engine.commit([
      ...others,
      ...(interactionId ? [writeEnd(interactionId, grant.codeExpiresAt)] : []),
      ...(notified ? writeSessionClient(notified) : []),
      ...(evidence ? [writeEvidence(evidence)] : []),
      // Late, because all sign-ins to the client change this row.
      ...(used ? [writeUse(used)] : []),
      insertionOf(grant),
    ]);
    const row = written?.at(-1)?.[0];
    if (row !== undefined) return toRecord<Grant>(row);
    return (await standingOf(grant)) ?? refusalOf(more);
  }

  return {
    /**
     * Creates the grant, and stores `more` with it. Of several calls with the same id one creates it and stores its own;
     * all get the same row. Nothing is stored if the grant is refused.
     */
    issueWith,

    /** The same without more. */
    async issueGrant(grant: NewGrant): Promise<Grant> {
      const issued = await issueWith(grant, {});
      if (typeof issued === "string") throw new Error("the grant was removed while it was issued");
      return issued;
    },
  };
}

function insertionOf(grant: NewGrant): JoinedWrite {
  const { id, clientId, accountId, redirectUri, scope, codeChallenge, nonce } = grant;
  const request = [id, clientId, accountId, redirectUri, scope, codeChallenge, nonce];
  const { authTime, amr, createdAt, codeExpiresAt, expiresAt, controlCheckedAt } = grant;
  const times = [authTime, amr, createdAt, codeExpiresAt, expiresAt, controlCheckedAt];
  const shown = [grant.resources ?? null, grant.sid, grant.claims];
  return writeWhen(ISSUE, ...request, ...times, ...shown);
}

// The changes of a grant that happen at most once: redemption, rotation, and a delivery that is repeated.

import type { SqlStatement, SqlValue } from "../database/engine.ts";
import { defineUpdate } from "../database/grouped.ts";
import { type Sql, sqlOf, toRecord } from "../database/rows.ts";
import { withKnownOutcome } from "../database/unknown-outcome.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import type { Lines } from "../lib/lines.ts";
import { memoize } from "../lib/memoize.ts";
import { randomText, systemRandom } from "../lib/random.ts";
import { ACCOUNT_IS_LIVE } from "./accounts.ts";
import type {
  GrantForTokens,
  PresentedCode,
  PresentedRefreshToken,
  RedeemedGrant,
} from "./grant-row.ts";

const OF_A_LIVE_ACCOUNT = `EXISTS (SELECT 1 FROM accounts WHERE accounts.id = grants.account_id
    AND ${ACCOUNT_IS_LIVE})`;

const REFRESH_EXPIRES_AT = `
  CASE WHEN given.refresh_end < expires_at THEN given.refresh_end ELSE expires_at END`;

/** What a new token needs to know beside the id; the caller knows the rest. */
const RETURNED = "account_id, scope, resources, auth_time, amr, control_checked_at, rotated_at";

const ofAccount = (column: string) =>
  `(SELECT ${column} FROM accounts WHERE accounts.id = grants.account_id)`;

/** What the ID token says, so that it needs no other statement. */
const RETURNED_OF_CODE = `${RETURNED}, nonce, sid, claims, ${ofAccount("domain")} AS domain,
  ${ofAccount("created_at")} AS domain_since, ${ofAccount("acct")} AS acct`;

const GRANT = { update: "grants", key: "id" } as const;
const SHARED = { now: "BIGINT", refresh_end: "BIGINT" } as const;
const CODE = {
  ...GRANT,
  returning: RETURNED_OF_CODE,
  values: { client: "TEXT", uri: "TEXT", challenge: "TEXT", new_attempt: "TEXT" },
  shared: SHARED,
} as const;
const TOKEN = {
  ...GRANT,
  returning: RETURNED,
  values: { client: "TEXT", presented: "BIGINT", new_attempt: "TEXT" },
  shared: { checked: "BIGINT", with_resources: "BIGINT", ...SHARED },
} as const;

const SAME_REQUEST = `client_id = given.client AND redirect_uri = given.uri
    AND code_challenge IS NOT DISTINCT FROM given.challenge`;

/** What a rotation and its repetition require, beside the generation. */
const MAY_REFRESH = `client_id = given.client AND revoked_at IS NULL AND refresh_expires_at > given.now
    AND control_checked_at > given.checked
    AND control_checked_at <= given.now + ${CLOCK_TOLERANCE_S}
    AND ${OF_A_LIVE_ACCOUNT}`;

/** `at` is the time of the change, as SQL. */
const changesAt = memoize((at) => {
  // A mark is good for one delivery, which extends nothing.
  const redeliver = `undelivered = NULL, redelivered_at = ${at}, attempt = given.new_attempt`;
  return {
    redeem: defineUpdate({
      ...CODE,
      set: `generation = 1, rotated_at = ${at}, attempt = given.new_attempt,
    refresh_expires_at = ${REFRESH_EXPIRES_AT}`,
      where: `generation = 0 AND revoked_at IS NULL AND code_expires_at > given.now
    AND created_at <= given.now + ${CLOCK_TOLERANCE_S}
    AND ${SAME_REQUEST}
    AND ${OF_A_LIVE_ACCOUNT}`,
    }),
    rotate: defineUpdate({
      ...TOKEN,
      set: `generation = generation + 1, rotated_at = ${at}, attempt = given.new_attempt,
    undelivered = NULL, redelivered_at = NULL, refresh_expires_at = ${REFRESH_EXPIRES_AT}`,
      where: `generation = given.presented AND generation > 0
    AND (resources IS NULL OR given.with_resources = 1)
    AND ${MAY_REFRESH}`,
    }),
    redeliverCode: defineUpdate({
      ...CODE,
      set: redeliver,
      where: `generation = 1 AND undelivered = 1 AND revoked_at IS NULL
    AND code_expires_at > given.now
    AND ${SAME_REQUEST}
    AND ${OF_A_LIVE_ACCOUNT}`,
    }),
    redeliverRefreshToken: defineUpdate({
      ...TOKEN,
      set: redeliver,
      where: `generation = given.presented + 1 AND given.presented > 0
    AND undelivered = generation
    AND ${MAY_REFRESH}`,
    }),
  };
});

// Changes nothing, but is a commit: see `withKnownOutcome`.
const confirmAttempt = (returned: string) => `
  UPDATE grants SET attempt = attempt WHERE id = ?1 AND attempt = ?2 AND revoked_at IS NULL
  RETURNING id, ${returned}`;

const CONFIRM_CODE = confirmAttempt(RETURNED_OF_CODE);
const CONFIRM_TOKEN = confirmAttempt(RETURNED);

interface Given<Changed> {
  /** The values of the statement between the id and the attempt. */
  readonly own: readonly SqlValue[];
  /** Those that follow, which the changes of one second have in common. */
  readonly shared: readonly SqlValue[];
  /** Columns that the caller knows. */
  readonly known: Partial<Changed>;
}

export type GrantChanges = ReturnType<typeof grantChanges>;

/**
 * `statementTime` is the time of the database as SQL; without it, the time that the caller passes counts. A statement
 * that a frozen database executes late then begins the window of its retry late, too.
 */
export function grantChanges(sql: Sql, lines: Lines, statementTime = "given.now") {
  const urgent = sqlOf(sql.engine, { isUrgent: true });
  const statements = changesAt(statementTime);

  /** The grant as changed by the attempt of this call, or null. */
  function changeOnce<Changed extends GrantForTokens>(
    by: Sql,
    { change, confirm }: { readonly change: SqlStatement; readonly confirm: string },
    presented: PresentedCode | PresentedRefreshToken,
    { own, shared, known }: Given<Changed>,
  ) {
    const { id, attempt = newAttempt() } = presented;
    const toGrant = ([row]: Awaited<ReturnType<Sql["rows"]>>) =>
      row === undefined ? null : Object.assign(toRecord<Changed>(row), known);
    return lines.run(id, () => {
      presented.whenBegun?.();
      return withKnownOutcome(
        by,
        async ({ rows }) => toGrant(await rows(change, id, ...own, attempt, ...shared)),
        async ({ rows }) => toGrant(await rows(confirm, id, attempt)),
      );
    });
  }

  function ofCode(change: SqlStatement, code: PresentedCode, by: Sql) {
    const { clientId, redirectUri, codeChallenge, now, refreshExpiresAt } = code;
    const known = { clientId, codeChallenge, generation: 1 };
    const own = [clientId, redirectUri, codeChallenge];
    const given = { own, shared: [now, refreshExpiresAt], known };
    return changeOnce<RedeemedGrant>(by, { change, confirm: CONFIRM_CODE }, code, given);
  }

  function ofToken(change: SqlStatement, token: PresentedRefreshToken, by: Sql) {
    const { clientId, generation, controlCheckedAfter, now, refreshExpiresAt } = token;
    const withResources = (token.mayHaveResources ?? true) ? 1 : 0;
    const known = { clientId, generation: generation + 1 };
    const shared = [controlCheckedAfter, withResources, now, refreshExpiresAt];
    const given = { own: [clientId, generation], shared, known };
    return changeOnce<GrantForTokens>(by, { change, confirm: CONFIRM_TOKEN }, token, given);
  }

  return {
    /**
     * Redeems a code. Of all callers, on all nodes, at most one ever gets the row. Null means only that nothing
     * changed. If the answer is lost, finds out the outcome or rejects with `UnknownOutcomeError`.
     */
    redeemCode: (code: PresentedCode, by = urgent) => ofCode(statements.redeem, code, by),

    /** Rotates a refresh token, in the same way. Of all callers with the same generation at most one gets the row. */
    rotateRefreshToken: (token: PresentedRefreshToken, by = urgent) =>
      ofToken(statements.rotate, token, by),

    /** Gets the grant of a code whose answer is marked as undelivered, and removes the mark: for at most one caller. */
    redeliverCode: (code: PresentedCode) => ofCode(statements.redeliverCode, code, urgent),

    /** The same for a refresh token that was replaced. */
    redeliverRefreshToken: (token: PresentedRefreshToken) =>
      ofToken(statements.redeliverRefreshToken, token, urgent),
  };
}

/** 128 bits. No secret: it only tells changes from each other. */
export function newAttempt(): string {
  return randomText(systemRandom, 16);
}

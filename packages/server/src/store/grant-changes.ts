// The changes of a grant that happen at most once: redemption, rotation, and a delivery that is repeated.

import type { SqlValue } from "../database/engine.ts";
import { given } from "../database/given.ts";
import { type Sql, sqlOf, toRecord } from "../database/rows.ts";
import { withKnownOutcome } from "../database/unknown-outcome.ts";
import { CLOCK_TOLERANCE_S } from "../lib/lifetime.ts";
import type { Lines } from "../lib/lines.ts";
import { randomText, systemRandom } from "../lib/random.ts";
import { ACCOUNT_IS_LIVE } from "./accounts.ts";
import type {
  Attempted,
  Grant,
  GrantForTokens,
  PresentedCode,
  PresentedRefreshToken,
} from "./grant-row.ts";

const OF_A_LIVE_ACCOUNT = `EXISTS (SELECT 1 FROM accounts WHERE accounts.id = grants.account_id
    AND ${ACCOUNT_IS_LIVE})`;

/** What a new token needs to know; the caller knows the rest. */
const RETURNED = "id, account_id, scope, resources, auth_time, amr, control_checked_at, rotated_at";

const REFRESH_EXPIRES_AT = `
  CASE WHEN given.refresh_end < expires_at THEN given.refresh_end ELSE expires_at END`;

/** Parameters of each statement below. */
const CHANGE = { now: "BIGINT", refresh_end: "BIGINT", new_attempt: "TEXT" } as const;
const CODE = {
  code_id: "TEXT",
  client: "TEXT",
  uri: "TEXT",
  challenge: "TEXT",
  ...CHANGE,
} as const;
const TOKEN = {
  token_id: "TEXT",
  client: "TEXT",
  presented: "BIGINT",
  checked: "BIGINT",
  ...CHANGE,
} as const;

const SAME_REQUEST = `client_id = given.client AND redirect_uri = given.uri
    AND code_challenge IS NOT DISTINCT FROM given.challenge`;

/** What a rotation and its repetition require, beside the generation. */
const MAY_REFRESH = `client_id = given.client AND revoked_at IS NULL AND refresh_expires_at > given.now
    AND control_checked_at > given.checked
    AND control_checked_at <= given.now + ${CLOCK_TOLERANCE_S}
    AND ${OF_A_LIVE_ACCOUNT}`;

/** `at` is the time of the change, as SQL. */
const statementsAt = (at: string) => ({
  redeem: `
  UPDATE grants SET generation = 1, rotated_at = ${at}, attempt = given.new_attempt, nonce = NULL,
    refresh_expires_at = ${REFRESH_EXPIRES_AT}
  FROM ${given(CODE)}
  WHERE id = given.code_id AND generation = 0 AND revoked_at IS NULL AND code_expires_at > given.now
    AND created_at <= given.now + ${CLOCK_TOLERANCE_S}
    AND ${SAME_REQUEST}
    AND ${OF_A_LIVE_ACCOUNT}
  RETURNING ${RETURNED}`,
  rotate: `
  UPDATE grants SET generation = generation + 1, rotated_at = ${at}, attempt = given.new_attempt,
    undelivered = NULL, redelivered_at = NULL, refresh_expires_at = ${REFRESH_EXPIRES_AT}
  FROM ${given(TOKEN)}
  WHERE id = given.token_id AND generation = given.presented AND generation > 0
    AND ${MAY_REFRESH}
  RETURNING ${RETURNED}`,
  // A mark is good for one delivery. Neither of these extends anything.
  redeliverCode: `
  UPDATE grants SET undelivered = NULL, redelivered_at = ${at}, attempt = given.new_attempt
  FROM ${given(CODE)}
  WHERE id = given.code_id AND generation = 1 AND undelivered = 1 AND revoked_at IS NULL
    AND code_expires_at > given.now
    AND ${SAME_REQUEST}
    AND ${OF_A_LIVE_ACCOUNT}
  RETURNING ${RETURNED}`,
  redeliverRefreshToken: `
  UPDATE grants SET undelivered = NULL, redelivered_at = ${at}, attempt = given.new_attempt
  FROM ${given(TOKEN)}
  WHERE id = given.token_id AND generation = given.presented + 1 AND given.presented > 0
    AND undelivered = generation
    AND ${MAY_REFRESH}
  RETURNING ${RETURNED}`,
});

// Changes nothing, but is a commit: see `withKnownOutcome`.
const CONFIRM_ATTEMPT = `
  UPDATE grants SET attempt = attempt WHERE id = ?1 AND attempt = ?2 AND revoked_at IS NULL
  RETURNING ${RETURNED}`;

export type GrantChanges = ReturnType<typeof grantChanges>;

/**
 * `statementTime` is the time of the database as SQL; without it, the time that the caller passes counts. A statement
 * that a frozen database executes late then begins the window of its retry late, too.
 */
export function grantChanges(sql: Sql, lines: Lines, statementTime = "given.now") {
  const urgent = sqlOf(sql.engine, { isUrgent: true });
  const statements = statementsAt(statementTime);

  const codeValues = (code: PresentedCode) => [
    ...[code.id, code.clientId, code.redirectUri, code.codeChallenge],
    ...[code.now, code.refreshExpiresAt],
  ];
  const tokenValues = (token: PresentedRefreshToken) => [
    ...[token.id, token.clientId, token.generation, token.controlCheckedAfter],
    ...[token.now, token.refreshExpiresAt],
  ];

  /** The grant as this call has changed it, or null. Its attempt id tells it from the changes of others. */
  function changeOnce<K extends Known>(
    by: Sql,
    statement: string,
    [id = null, ...values]: readonly SqlValue[],
    { attempt = newAttempt(), ...known }: K & Attempted,
  ) {
    const toGrant = ([row]: Awaited<ReturnType<Sql["rows"]>>) =>
      row === undefined
        ? null
        : Object.assign(toRecord<Omit<GrantForTokens, keyof Known>>(row), known);
    return withKnownOutcome(
      by,
      async ({ rows }) => toGrant(await rows(statement, id, ...values, attempt)),
      async ({ rows }) => toGrant(await rows(CONFIRM_ATTEMPT, id, attempt)),
    );
  }

  const ofCode = (statement: string, code: PresentedCode, by: Sql) => {
    const { id, clientId, codeChallenge, attempt } = code;
    const known = { clientId, codeChallenge, generation: 1, attempt };
    return lines.run(id, () => {
      code.whenBegun?.();
      return changeOnce(by, statement, codeValues(code), known);
    });
  };
  const ofToken = (statement: string, token: PresentedRefreshToken, by: Sql) => {
    const { id, clientId, attempt } = token;
    const known = { clientId, generation: token.generation + 1, attempt };
    return lines.run(id, () => {
      token.whenBegun?.();
      return changeOnce(by, statement, tokenValues(token), known);
    });
  };

  return {
    /**
     * Redeems a code. Of all callers, on all nodes, at most one ever gets the row. Null means only that nothing
     * changed. If there is no answer of the database, the outcome is found out; where that fails, it rejects with
     * `UnknownOutcomeError`.
     */
    redeemCode: (code: PresentedCode, by = urgent) => ofCode(statements.redeem, code, by),

    /** Rotates a refresh token, in the same way. Of all callers with the same generation at most one gets the row. */
    rotateRefreshToken: (token: PresentedRefreshToken, by = urgent) =>
      ofToken(statements.rotate, token, by),

    /**
     * Gets the grant of a redeemed code again if its answer is marked as undelivered, and removes the mark. Of all
     * callers at most one gets the row.
     */
    redeliverCode: (code: PresentedCode) => ofCode(statements.redeliverCode, code, urgent),

    /** The same for a refresh token that was replaced. */
    redeliverRefreshToken: (token: PresentedRefreshToken) =>
      ofToken(statements.redeliverRefreshToken, token, urgent),
  };
}

/** What the caller knows of the row that it changes. */
type Known = Pick<Grant, "clientId" | "generation">;

/** 128 bits. No secret: it only tells changes from each other. */
export function newAttempt(): string {
  return randomText(systemRandom, 16);
}

// How long sessions last, as the operator set it.

const DAY_S = 86_400;
const IDLE_DAYS = 30;
const ABSOLUTE_DAYS = 180;

export interface SessionDays {
  readonly sessionIdleDays?: number | undefined;
  readonly sessionAbsoluteDays?: number | undefined;
}

export interface SessionLifetimes {
  /** A session ends if it is not used for this long. */
  readonly idleS: number;
  /** Applies from an authentication on, even if the session is in use. */
  readonly absoluteS: number;
}

export function sessionLifetimes(days: SessionDays): SessionLifetimes {
  const { sessionIdleDays: idle = IDLE_DAYS, sessionAbsoluteDays: absolute = ABSOLUTE_DAYS } = days;
  return { idleS: idle * DAY_S, absoluteS: absolute * DAY_S };
}

/** What is wrong with the two settings together; null if nothing is. */
export function sessionDaysMistake(days: SessionDays): string | null {
  const { idleS, absoluteS } = sessionLifetimes(days);
  const [idle, absolute] = [idleS / DAY_S, absoluteS / DAY_S];
  return idle <= absolute
    ? null
    : `session_idle_days is ${idle}, which is more than session_absolute_days (${absolute}): set it to ${absolute} or less`;
}

// Everything that the service reports of itself: one function per event, no secret in any of them.

import { type DestinationStream, pino } from "pino";

export interface Events {
  /** The service accepts requests. */
  listening(fields: { issuer: string; port: number }): void;
  /** A request was refused; `found` and `expected` explain it, and never hold a credential. */
  refused(fields: {
    errorId: string;
    path: string;
    error: string;
    expected: string;
    found?: string | undefined;
  }): void;
  /** We or something that we depend on failed. */
  failed(fields: { errorId?: string; path: string; cause: unknown }): void;
  /** A code or a refresh token was used a second time, and its grant was ended. */
  replayed(fields: { clientId: string; accountId: string; token: "code" | "refresh_token" }): void;
  /** A token was presented that is newer than the store knows: the store has lost writes. */
  lostWrites(fields: { clientId: string; accountId: string }): void;
  /** An account came into being. */
  enrolled(fields: { accountId: string; domain: string; assurance: string }): void;
  /** Somebody signed in. */
  signedIn(fields: { accountId: string; domain: string; clientId: string; amr: string }): void;
}

/** Events as JSON lines on standard error, or on `destination`. */
export function jsonEvents(destination: DestinationStream = pino.destination(2)): Events {
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return {
    listening: (fields) => log.info(fields, "listening"),
    refused: (fields) => log.info(fields, "refused"),
    failed: ({ cause, ...fields }) =>
      log.error(
        { ...fields, cause: cause instanceof Error ? cause.stack : String(cause) },
        "failed",
      ),
    replayed: (fields) => log.warn(fields, "replayed"),
    lostWrites: (fields) => log.error(fields, "lost writes"),
    enrolled: (fields) => log.info(fields, "enrolled"),
    signedIn: (fields) => log.info(fields, "signed in"),
  };
}

// Everything that the service reports of itself: one function per event, no secret in any of them.

import { type DestinationStream, pino } from "pino";
import type { Assurance } from "./assurance.ts";

export interface Events {
  /** The service accepts requests. */
  listening(fields: { issuer: string; port: number; managementPort?: number }): void;
  /** The process was told to stop; `delay` is in seconds. */
  stopping(fields: { delay: number }): void;
  /** Everything that was asked is answered. */
  stopped(): void;
  /** Requests come through a proxy that `trusted_proxies` does not name: all of its people count as one. */
  undeclaredProxy(fields: { address: string }): void;
  /**
   * With so few resolvers none can confirm another: only domains with signed DNS can sign in, and no
   * account falls asleep whose record is gone.
   */
  fewResolvers(fields: { resolvers: number; needed: number }): void;
  /** A request was answered; `route` is the path with its variables, not what was asked for. */
  answered(fields: { method: string; route: string; status: number; milliseconds: number }): void;
  /** DNS was asked for a domain's record, or for its answer to a challenge. */
  lookedUp(fields: { outcome: string; assurance: Assurance; milliseconds: number }): void;
  /** Signatures of a domain's DNS do not hold, or are missing. The reason begins with a verifier's code. */
  bogus(fields: { domain: string; reason: string }): void;
  /** A request was refused: what it was told (`reason`), and what only the log says (`found`). Never a credential. */
  refused(fields: {
    errorId: string;
    path: string;
    error: string;
    reason: string;
    found?: string | undefined;
    clientId?: string | undefined;
  }): void;
  /** We or something that we depend on failed. */
  failed(fields: { errorId?: string; path: string; cause: unknown }): void;
  /** A code or a refresh token was used a second time, and its grant was ended. */
  replayed(fields: { clientId: string; accountId: string; token: "code" | "refresh_token" }): void;
  /** A token was presented that is newer than the store knows: the store has lost writes. */
  lostWrites(fields: { clientId: string; accountId: string }): void;
  /** An external service provider did not sign somebody in; `sp` is its issuer. No token, code or state. */
  spFailed(fields: { sp: string; kind: string; detail: string; errorId: string }): void;
  /** An account came into being. */
  enrolled(fields: { accountId: string; domain: string; assurance: string }): void;
  /** An account came to its end: its zone has not named it for 30 days. */
  ended(fields: { accountId: string; domain: string }): void;
  /** Somebody signed in. */
  signedIn(fields: { accountId: string; domain: string; clientId: string; amr: string }): void;
}

/** Events as JSON lines on standard error, or on `destination`. */
export function jsonEvents(destination: DestinationStream = pino.destination(2)): Events {
  const log = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  );
  return {
    listening: (fields) => log.info(fields, "listening"),
    stopping: (fields) => log.info(fields, "stopping"),
    stopped: () => log.info("stopped"),
    undeclaredProxy: (fields) => log.warn(fields, "undeclared proxy"),
    fewResolvers: (fields) => log.warn(fields, "few resolvers"),
    // Measured, and too many for a log.
    answered: () => {},
    lookedUp: () => {},
    bogus: (fields) => log.warn(fields, "bogus"),
    refused: (fields) => log.info(fields, "refused"),
    failed: ({ cause, ...fields }) =>
      log.error(
        { ...fields, cause: cause instanceof Error ? cause.stack : String(cause) },
        "failed",
      ),
    replayed: (fields) => log.warn(fields, "replayed"),
    lostWrites: (fields) => log.error(fields, "lost writes"),
    spFailed: (fields) => log.warn(fields, "sp failed"),
    enrolled: (fields) => log.info(fields, "enrolled"),
    ended: (fields) => log.info(fields, "ended"),
    signedIn: (fields) => log.info(fields, "signed in"),
  };
}

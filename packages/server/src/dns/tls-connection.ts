// One kept connection for DNS over TLS (RFC 7858), with many questions at once (RFC 7766 §6.2.1.1).

import { randomInt, X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { tls } from "../lib/lazy-libraries.ts";
import { createOwnTimers } from "../lib/own-time.ts";
import { type DnsQuery, framedQuery, type Reply, readFrames, readWholeReply } from "./exchange.ts";
import type { ServerAddress } from "./server-address.ts";

type TlsServer = Omit<Required<ServerAddress>, "isV6">;

/** How many questions may be in flight, and how many more may wait to be sent. */
export interface ConnectionLimits {
  readonly inFlight: number;
  readonly waiting: number;
}

interface ConnectionOptions {
  /** PEM, in place of Node's authorities. */
  readonly ca?: string | undefined;
  readonly limits?: ConnectionLimits | undefined;
  /** Whether the certificate may be expired, or not yet valid: only for what needs no trust in the connection. */
  readonly isAnyTimeValid?: boolean;
}

interface PendingQuery {
  readonly query: DnsQuery;
  readonly end: (reply: Reply) => void;
  /** While it is in flight. */
  id: number;
  isRetried: boolean;
}

interface OpenConnection {
  readonly socket: TLSSocket;
  readonly inFlight: Map<number, PendingQuery>;
  isReady: boolean;
  isLost: boolean;
  /** Runs from the oldest question after which nothing was answered, and while the connection is being made. */
  silence: ReturnType<ReturnType<typeof createOwnTimers>["start"]> | null;
  isSilent: boolean;
}

const LIMITS: ConnectionLimits = { inFlight: 200, waiting: 1000 };
const IDLE_MS = 10_000;
/** Own time. A connection without any answer for this time is replaced when the next question comes. */
const SILENT_MS = 900;
const HEADER_OCTETS = 12;
const ERRORS_OF_TIME = ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"];
const MAX_CHAIN = 8;
/** The purpose "server authentication" (RFC 5280 §4.2.1.12), and any purpose. */
const PURPOSES = ["1.3.6.1.5.5.7.3.1", "2.5.29.37.0"];
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Connects at the first question and after each failure. */
export function keepConnection(
  { address, port, tlsName }: TlsServer,
  { ca, limits = LIMITS, isAnyTimeValid = false }: ConnectionOptions = {},
) {
  const timers = createOwnTimers();
  /** Questions that are not in flight. With any, there is a connection. */
  const waiting = new Set<PendingQuery>();
  let current: OpenConnection | null = null;
  let isClosed = false;

  function open(): OpenConnection {
    const socket = tls().connect({
      ...{ host: address, port, servername: tlsName, ca, noDelay: true },
      ...{ minVersion: "TLSv1.2", rejectUnauthorized: !isAnyTimeValid },
    });
    const opened: OpenConnection = {
      ...{ socket, inFlight: new Map(), isReady: false, isLost: false },
      ...{ silence: null, isSilent: false },
    };
    beginSilence(opened);
    // The timer of each question keeps the process alive; an idle connection does not.
    socket.unref();
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on("secureConnect", () => {
      const mistake = certificateMistake(socket, tlsName, ca);
      if (mistake !== null) return lose(opened, mistake);
      opened.isReady = true;
      endSilence(opened);
      send();
    });
    socket.on("error", (cause) => lose(opened, codeOf(cause)));
    socket.on("close", () => lose(opened, "closed"));
    const hearNext = (octets: Buffer) => hear(opened, octets);
    socket.on("data", readFrames(hearNext));
    return opened;
  }

  function send(): void {
    if (waiting.size === 0) return;
    current ??= open();
    const { socket, inFlight, isReady } = current;
    if (!isReady) return;
    for (const question of waiting) {
      if (inFlight.size >= limits.inFlight) return;
      waiting.delete(question);
      do question.id = randomInt(0x10000);
      while (inFlight.has(question.id));
      inFlight.set(question.id, question);
      beginSilence(current);
      socket.write(framedQuery({ ...question.query, id: question.id }));
    }
  }

  function hear(opened: OpenConnection, octets: Buffer): void {
    if (octets.length < HEADER_OCTETS) lose(opened, "malformed");
    if (opened.isLost) return;
    const question = opened.inFlight.get(octets.readUInt16BE(0));
    const reply = question && readWholeReply(octets, { ...question.query, id: question.id });
    if (!question || !reply) return;
    opened.inFlight.delete(question.id);
    endSilence(opened);
    if (opened.inFlight.size > 0) beginSilence(opened);
    question.end(reply);
    send();
  }

  /** Questions in flight are sent once more. Without any connection, waiting is in vain. */
  function lose(opened: OpenConnection, detail: string): void {
    if (opened.isLost) return;
    opened.isLost = true;
    endSilence(opened);
    opened.socket.destroy();
    current = null;
    const failed = { outcome: "network", detail } as const;
    const isVain = isClosed || !opened.isReady;
    if (isVain) for (const question of waiting) question.end(failed);
    for (const question of opened.inFlight.values()) {
      if (isVain || question.isRetried) question.end(failed);
      else {
        question.isRetried = true;
        waiting.add(question);
      }
    }
    send();
  }

  /** Does nothing if the timer is already running. */
  function beginSilence(opened: OpenConnection): void {
    opened.silence ??= timers.start(SILENT_MS, () => {
      opened.isSilent = true;
    });
  }

  function endSilence(opened: OpenConnection): void {
    if (opened.silence !== null) timers.cancel(opened.silence);
    opened.silence = null;
    opened.isSilent = false;
  }

  return {
    /** Chooses another `id`, as those in flight must differ. Does not reject. */
    async ask(query: DnsQuery, tryMs: () => number): Promise<Reply> {
      if (isClosed) return { outcome: "network", detail: "closed" };
      if (current?.isSilent) lose(current, "timeout");
      if (waiting.size >= limits.waiting) return { outcome: "busy" };
      return new Promise((resolve) => {
        const end = (reply: Reply): void => {
          clearTimeout(timer);
          waiting.delete(question);
          resolve(reply);
        };
        const question: PendingQuery = { query, end, id: -1, isRetried: false };
        const timer = setTimeout(() => {
          end({ outcome: "timeout" });
          const inFlight = current?.inFlight;
          if (inFlight?.get(question.id) === question) inFlight.delete(question.id);
          send();
        }, tryMs());
        waiting.add(question);
        send();
      });
    },

    /** Ends all questions with "network". */
    close(): void {
      isClosed = true;
      if (current) lose(current, "closed");
      timers.stop();
    },
  };
}

function codeOf(cause: Error): string {
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

/** Null if at most the dates are wrong. The library reports one of several errors, so check all. */
function certificateMistake(socket: TLSSocket, name: string, ca?: string): string | null {
  if (socket.authorized) return null;
  const error = String(socket.authorizationError);
  if (!ERRORS_OF_TIME.includes(error)) return error;
  try {
    const leaf = socket.getPeerCertificate(true);
    const wrongName = tls().checkServerIdentity(name, leaf);
    if (wrongName !== undefined) return "ERR_TLS_CERT_ALTNAME_INVALID";
    const authorities = ca === undefined ? authoritiesOfNode() : (ca.match(CERTIFICATE) ?? []);
    const roots = authorities.map((pem) => new X509Certificate(pem));
    const chain: X509Certificate[] = [];
    for (let at = leaf; chain.length < MAX_CHAIN; at = at.issuerCertificate) {
      chain.push(new X509Certificate(at.raw));
      if (!at.issuerCertificate || at.issuerCertificate === at) break;
    }
    const purposes = chain[0]?.keyUsage;
    if (purposes && !PURPOSES.some((one) => purposes.includes(one))) return "INVALID_PURPOSE";
    return leadsToOneOf(roots, chain) ? null : "UNABLE_TO_VERIFY_LEAF_SIGNATURE";
  } catch {
    return "ERR_TLS_INVALID_CERTIFICATE";
  }
}

/** With those of `NODE_EXTRA_CA_CERTS` where Node tells them (from 22.15 on). */
function authoritiesOfNode(): readonly string[] {
  const { getCACertificates } = tls() as { getCACertificates?: (type: "default") => string[] };
  return getCACertificates?.("default") ?? tls().rootCertificates;
}

function leadsToOneOf(roots: readonly X509Certificate[], chain: readonly X509Certificate[]) {
  const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate) =>
    certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  for (const [depth, certificate] of chain.entries()) {
    if (roots.some((root) => isIssuedBy(certificate, root))) return true;
    const issuer = chain[depth + 1];
    if (!issuer?.ca || !isIssuedBy(certificate, issuer)) return false;
  }
  return false;
}

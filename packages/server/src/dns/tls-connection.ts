// One kept connection for DNS over TLS (RFC 7858), with many questions at once (RFC 7766 §6.2.1.1).

import { randomInt } from "node:crypto";
import { connect, type TLSSocket } from "node:tls";
import { createOwnTimers } from "../lib/own-time.ts";
import { type Asked, queryOf, type Reply, readReply, wholeOf } from "./exchange.ts";
import { framed, readFrames } from "./framing.ts";
import { mistakeButForTime } from "./late-certificate.ts";

export interface TlsServer {
  readonly address: string;
  readonly port: number;
  /** Sent as SNI; the certificate must have it. */
  readonly tlsName: string;
}

export interface KeptConnection {
  /** Chooses another `id`, as those in flight must differ. Does not reject. */
  ask(asked: Asked, timeoutMs: number): Promise<Reply>;
  /** Ends all questions with "network". */
  close(): void;
}

/** How many questions may be in flight, and how many more may wait to be sent. */
export interface ConnectionLimits {
  readonly inFlight: number;
  readonly waiting: number;
}

interface Question {
  readonly asked: Asked;
  readonly end: (reply: Reply) => void;
  /** While it is in flight. */
  id: number;
  isRetried: boolean;
}

interface Opened {
  readonly socket: TLSSocket;
  readonly inFlight: Map<number, Question>;
  isReady: boolean;
  isLost: boolean;
  /** Runs from the oldest question after which nothing was answered, and while the connection is being made. */
  silence: ReturnType<OwnTimers["start"]> | null;
  isSilent: boolean;
}

type OwnTimers = ReturnType<typeof createOwnTimers>;

const LIMITS: ConnectionLimits = { inFlight: 200, waiting: 1000 };
const IDLE_MS = 10_000;
/** Own time. A connection without any answer for this time is replaced when the next question comes. */
const SILENT_MS = 900;
const HEADER_OCTETS = 12;

/** Connects at the first question and after each failure. `ca` (PEM) replaces Node's authorities. */
export function keepConnection(
  server: TlsServer,
  { ca, limits = LIMITS, isAnyTimeValid = false }: ConnectionOptions = {},
): KeptConnection {
  const kept: Kept = {
    ...{ server, ca, isAnyTimeValid, limits, waiting: new Set(), current: null, isClosed: false },
    timers: createOwnTimers(),
  };
  return {
    async ask(asked, timeoutMs) {
      if (kept.isClosed) return { outcome: "network", detail: "closed" };
      if (kept.current?.isSilent) lose(kept, kept.current, "timeout");
      if (kept.waiting.size >= limits.waiting) return { outcome: "busy" };
      return new Promise((resolve) => {
        const end = (reply: Reply): void => {
          clearTimeout(timer);
          kept.waiting.delete(question);
          resolve(reply);
        };
        const question: Question = { asked, end, id: -1, isRetried: false };
        const timer = setTimeout(() => {
          end({ outcome: "timeout" });
          const inFlight = kept.current?.inFlight;
          if (inFlight?.get(question.id) === question) inFlight.delete(question.id);
          send(kept);
        }, timeoutMs);
        kept.waiting.add(question);
        send(kept);
      });
    },

    close() {
      kept.isClosed = true;
      if (kept.current) lose(kept, kept.current, "closed");
      kept.timers.stop();
    },
  };
}

interface ConnectionOptions {
  readonly ca?: string | undefined;
  readonly limits?: ConnectionLimits | undefined;
  /** Whether the certificate may be expired, or not yet valid: only for what needs no trust in the connection. */
  readonly isAnyTimeValid?: boolean;
}

interface Kept {
  readonly server: TlsServer;
  readonly ca: string | undefined;
  readonly isAnyTimeValid: boolean;
  readonly limits: ConnectionLimits;
  /** Questions that are not in flight. With any, there is a connection. */
  readonly waiting: Set<Question>;
  current: Opened | null;
  isClosed: boolean;
  readonly timers: OwnTimers;
}

function open(kept: Kept): Opened {
  const { address, port, tlsName } = kept.server;
  const socket = connect({
    ...{ host: address, port, servername: tlsName, ca: kept.ca, noDelay: true },
    ...{ minVersion: "TLSv1.2", rejectUnauthorized: !kept.isAnyTimeValid },
  });
  const opened: Opened = {
    ...{ socket, inFlight: new Map(), isReady: false, isLost: false },
    ...{ silence: null, isSilent: false },
  };
  beginSilence(kept, opened);
  // The timer of each question keeps the process alive; an idle connection does not.
  socket.unref();
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on("secureConnect", () => {
    const mistake = mistakeButForTime(socket, tlsName, kept.ca);
    if (mistake !== null) return lose(kept, opened, mistake);
    opened.isReady = true;
    endSilence(kept, opened);
    send(kept);
  });
  socket.on("error", (cause) => lose(kept, opened, codeOf(cause)));
  socket.on("close", () => lose(kept, opened, "closed"));
  const hearNext = (octets: Buffer) => hear(kept, opened, octets);
  socket.on("data", readFrames(hearNext));
  return opened;
}

function send(kept: Kept): void {
  const { waiting, limits } = kept;
  if (waiting.size === 0) return;
  kept.current ??= open(kept);
  const { socket, inFlight, isReady } = kept.current;
  if (!isReady) return;
  for (const question of waiting) {
    if (inFlight.size >= limits.inFlight) return;
    waiting.delete(question);
    do question.id = randomInt(0x10000);
    while (inFlight.has(question.id));
    inFlight.set(question.id, question);
    beginSilence(kept, kept.current);
    socket.write(framed(queryOf({ ...question.asked, id: question.id })));
  }
}

function hear(kept: Kept, opened: Opened, octets: Buffer): void {
  if (octets.length < HEADER_OCTETS) lose(kept, opened, "malformed");
  if (opened.isLost) return;
  const question = opened.inFlight.get(octets.readUInt16BE(0));
  const reply = question && readReply(octets, { ...question.asked, id: question.id });
  // The reply matches no question in flight.
  if (!question || !reply) return;
  opened.inFlight.delete(question.id);
  endSilence(kept, opened);
  if (opened.inFlight.size > 0) beginSilence(kept, opened);
  question.end(wholeOf(reply));
  send(kept);
}

/** Questions in flight are sent once more. Without any connection, waiting is in vain. */
function lose(kept: Kept, opened: Opened, detail: string): void {
  if (opened.isLost) return;
  opened.isLost = true;
  endSilence(kept, opened);
  opened.socket.destroy();
  kept.current = null;
  const failed = { outcome: "network", detail } as const;
  const isVain = kept.isClosed || !opened.isReady;
  if (isVain) for (const question of kept.waiting) question.end(failed);
  for (const question of opened.inFlight.values()) {
    if (isVain || question.isRetried) question.end(failed);
    else {
      question.isRetried = true;
      kept.waiting.add(question);
    }
  }
  send(kept);
}

/** Goes on if it has begun. */
function beginSilence(kept: Kept, opened: Opened): void {
  opened.silence ??= kept.timers.start(SILENT_MS, () => {
    opened.isSilent = true;
  });
}

function endSilence(kept: Kept, opened: Opened): void {
  if (opened.silence !== null) kept.timers.cancel(opened.silence);
  opened.silence = null;
  opened.isSilent = false;
}

function codeOf(cause: Error): string {
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

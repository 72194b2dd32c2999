// The configured resolvers: their connections, and which of them cannot be reached.

import { recordType } from "domain-signin-verify/dns/records";
import { OperatorError } from "../lib/errors.ts";
import type { Events } from "../telemetry/events.ts";
import { askPlain, askUntil, type DnsServer, type Reply } from "./exchange.ts";
import { readServers, type ServerAddress } from "./server-address.ts";
import { keepConnection } from "./tls-connection.ts";

export type Resolvers = ReturnType<typeof createResolvers>;

interface ResolverOptions {
  /** PEM, in place of Node's certificate authorities. */
  readonly ca?: string | undefined;
  readonly events?: Pick<Events, "resolverUnreachable" | "resolverReachable"> | undefined;
  readonly probeEveryMs?: number;
}

/** How many are never set aside: two must agree. */
const LEAST = 2;
const PROBE_MS = 2000;
const PROBE_EVERY_MS = 5000;

/** Rejects bad texts with `OperatorError`. */
export function createResolvers(
  texts: readonly string[],
  { ca, events, probeEveryMs = PROBE_EVERY_MS }: ResolverOptions = {},
) {
  const servers = readServers(texts);
  if ("mistake" in servers) throw new OperatorError(`dns_servers ${servers.mistake}`);
  /** In the order in which the resolvers became unreachable. */
  const unreachable = new Set<string>();
  const watched = servers.map((server, index) => watchServer(texts[index] ?? "", server));

  function setReachable(resolver: string, isReachable: boolean, reason = ""): void {
    if (isReachable !== unreachable.has(resolver)) return;
    if (isReachable) {
      unreachable.delete(resolver);
      events?.resolverReachable({ resolver });
    } else {
      unreachable.add(resolver);
      events?.resolverUnreachable({ resolver, reason });
    }
  }

  /**
   * A resolver is unreachable if even our own question (`. SOA`) gets no answer. The silent zone of a stranger must not
   * switch resolvers off for everybody.
   */
  function watchServer(text: string, { tlsName, ...plain }: ServerAddress) {
    const connection = tlsName === undefined ? null : keepConnection({ ...plain, tlsName }, { ca });
    let lastHeard = Number.NEGATIVE_INFINITY;
    let lastProbe = Number.NEGATIVE_INFINITY;
    let timer: NodeJS.Timeout | undefined;
    let isProbing = false;
    let isWatched = false;

    const server: DnsServer = {
      ...plain,
      async ask(query, tryMs) {
        const began = performance.now();
        const reply = await (connection?.ask(query, tryMs) ?? askPlain(plain, query, tryMs));
        hear(reply, began);
        return reply;
      },
    };

    function hear({ outcome }: Reply, began: number): void {
      if (outcome === "message" || outcome === "malformed") {
        lastHeard = performance.now();
        setReachable(text, true);
      } else if (outcome !== "busy" && lastHeard < began && isWatched && !isProbing) {
        probeIn(Math.max(0, lastProbe + probeEveryMs - performance.now()));
      }
    }

    function probeIn(ms: number): void {
      isProbing = true;
      timer = setTimeout(probe, ms);
      timer.unref();
    }

    /** Repeats itself until there is an answer. */
    async function probe(): Promise<void> {
      isProbing = true;
      const began = performance.now();
      lastProbe = began;
      const reply = await askUntil(server, { name: "", type: recordType.SOA }, began + PROBE_MS);
      isProbing = isWatched && lastHeard < began;
      if (!isProbing) return;
      setReachable(text, false, ("detail" in reply && reply.detail) || reply.outcome);
      probeIn(probeEveryMs);
    }

    return {
      /** As in the configuration. */
      text,
      server,
      watch() {
        isWatched = true;
        if (connection !== null) void probe();
      },
      close() {
        isWatched = false;
        clearTimeout(timer);
        connection?.close();
      },
    };
  }

  return {
    /** In the order of the configuration. */
    all: watched,
    /** Reorders a list with one item for each resolver: the items of resolvers that are set aside come last. */
    inOrder<T>(each: readonly T[]): readonly T[] {
      const aside = new Set([...unreachable].slice(0, Math.max(0, texts.length - LEAST)));
      const isAside = (_: T, index: number) => aside.has(texts[index] ?? "");
      const isFirst = (_: T, index: number) => !isAside(_, index);
      return [...each.filter(isFirst), ...each.filter(isAside)];
    },
    /** The texts of the resolvers that cannot be reached. Not all of these resolvers are set aside. */
    unreachable: (): readonly string[] => [...unreachable],
    /** Starts to watch the resolvers, and connects by TLS, so that failures are known before the first question. */
    watch: () => {
      for (const { watch } of watched) watch();
    },
    close: () => {
      for (const { close } of watched) close();
    },
  };
}

// The signature of the DNS root as a witness of the time, and when the root is asked for it.
//
// It must not use the clock that it judges: it is proved at its own time, when it was made. It may be old, because
// caches keep it, but it cannot be too new.

import { type Dnskey, decodeDnskey, dnskeyFlag } from "domain-signin-verify/dns/dnssec-records";
import { recordType } from "domain-signin-verify/dns/records";
import { keysThatDsMean } from "domain-signin-verify/dnssec/delegation";
import { type Proof, proveRrset } from "domain-signin-verify/dnssec/prove";
import { decode, type Rrset } from "domain-signin-verify/dnssec/rrsets";
import { validityOf } from "domain-signin-verify/dnssec/rrsig";
import { rootTrustAnchors, type TrustAnchor } from "domain-signin-verify/dnssec/trust-anchors";
import { VerificationError } from "domain-signin-verify/errors";
import { systemClock } from "../lib/clock.ts";
import { EARLIEST_S, OLD_S } from "../lib/root-signatures.ts";
import type { TimeEvents } from "../telemetry/events.ts";
import { createRecordSources, UnusableError } from "./record-source.ts";
import { createResolver, type Query } from "./resolver.ts";
import { readServers } from "./server-address.ts";
import { keepConnection } from "./tls-connection.ts";
import type { SignaturePeriod } from "./view.ts";

export interface RootLook extends SignaturePeriod {
  /** The tags of the key-signing keys that the root lists, and that are no trust anchors. */
  readonly unknownKeys: readonly number[];
}

interface Deps {
  /**
   * Epoch seconds, perhaps decades too early: which of the times that are 2^32 s apart a signature means (RFC 4034
   * §3.1.5). Not the clock that is judged: in 2100, it would read a signature of today as one of 2162.
   */
  readonly about?: () => number;
  readonly trustAnchors?: readonly TrustAnchor[] | undefined;
  /** PEM, in place of Node's authorities. */
  readonly ca?: string | undefined;
}

const { SOA, DNSKEY } = recordType;
/** Of these flags, a key-signing key that is not revoked has only the first. */
const KEY_FLAGS = dnskeyFlag.secureEntryPoint | dnskeyFlag.revoke;

/** Signatures that are valid for longer are no witness: an old one would agree with a clock that is weeks behind. */
const MAX_SIGNED_S = 35 * 86_400;
/** A set has more signatures while a key is replaced. */
const MAX_TRIED = 4;
const INTERVAL_MS = 3_600_000;
/** After the first look without an answer; then twice as long each time. A laptop wakes before its network does. */
const RETRY_MS = 5000;
const LONGEST_RETRY_MS = 600_000;
/** After this many looks without an answer, in half a minute, a network that wakes up late is no longer the cause. */
const UNWITNESSED_LOOKS = 4;

/** Each look has its own connections, which accept expired and not yet valid certificates. */
export function createRootWitness(
  texts: readonly string[],
  deps: Deps,
): () => Promise<RootLook | null> {
  const servers = readServers(texts);
  const options = { ca: deps.ca, isAnyTimeValid: true };
  if ("mistake" in servers || deps.trustAnchors?.length === 0) return async () => null;
  return async () => {
    const opened = servers.map(({ tlsName, ...plain }) => {
      if (tlsName === undefined) return { server: plain, close() {} };
      const { ask, close } = keepConnection({ ...plain, tlsName }, options);
      return { server: { ...plain, ask }, close };
    });
    // The look verifies the answer itself. A resolver would use its own clock, which may be wrong too.
    const checkingDisabled = true;
    const queries = opened.map(
      ({ server }) => createResolver({ servers: [server], checkingDisabled }).query,
    );
    try {
      return await lookAtRoot(queries, deps);
    } finally {
      for (const { close } of opened) close();
    }
  };
}

/** Whether these are anchors of the public root, whose signatures are never older than some days. */
export function isPublicRoot(trustAnchors = rootTrustAnchors): boolean {
  const digests = rootTrustAnchors.map(({ digest }) => digest.join());
  return trustAnchors.some(({ digest }) => digests.includes(digest.join()));
}

/** The newest signature of the root's SOA record that one of the sources proves; null if none does. */
export async function lookAtRoot(queries: readonly Query[], deps: Deps): Promise<RootLook | null> {
  const looks = await Promise.all(queries.map((query) => provenBy(query, deps)));
  const proven = looks.flatMap((look) => look ?? []);
  const [newest] = proven.toSorted((one, other) => other.inception - one.inception);
  if (newest === undefined) return null;
  // What a resolver repeats of years ago lists the keys of that time.
  const recent = proven.filter(({ inception }) => inception >= newest.inception - OLD_S);
  return { ...newest, unknownKeys: [...new Set(recent.flatMap((look) => look.unknownKeys))] };
}

async function provenBy(
  query: Query,
  { about = () => 0, trustAnchors = rootTrustAnchors }: Deps,
): Promise<RootLook | null> {
  const time = Math.max(EARLIEST_S, about());
  const source = createRecordSources({ query, clock: systemClock })();
  try {
    const [keysFrom] = signaturesOf(await source.rrsets("", DNSKEY), DNSKEY, time);
    const offered = signaturesOf(await source.rrsets("", SOA), SOA, time);
    for (const { inception } of offered.slice(0, MAX_TRIED)) {
      // The keys may have been signed anew while a cache kept the SOA record.
      const at = Math.max(inception, keysFrom?.inception ?? 0);
      const asked = { source, name: "", type: SOA, now: at, trustAnchors } as const;
      const proof = await proveRrset({ ...asked, signatures: "any" }).catch(refused);
      const [proven] = signaturesOf(proof?.sets ?? [], SOA, time);
      if (proof === null || proven === undefined) continue;
      if (proven.expiration - proven.inception > MAX_SIGNED_S) return null;
      return { ...proven, unknownKeys: await unknownKeysIn(proof, trustAnchors) };
    }
    return null;
  } catch {
    // A bad answer of one resolver must not hide the answers of the others.
    return null;
  }
}

/** The signatures of the set of type `wanted`, the newest first. */
function signaturesOf(sets: readonly Rrset[], wanted: number, time: number): SignaturePeriod[] {
  const set = sets.find(({ name, type }) => name === "" && type === wanted);
  const times = (set?.signatures ?? []).map((rrsig) => validityOf(rrsig, time));
  return times
    .map(({ notBefore, notAfter }) => ({ inception: notBefore, expiration: notAfter }))
    .sort((one, other) => other.inception - one.inception);
}

/** The root publishes a new key for weeks before it signs with it (RFC 5011 §2.4.1). */
async function unknownKeysIn({ zoneSets }: Proof, anchors: readonly TrustAnchor[]) {
  const keys = zoneSets
    .filter(({ name, type }) => name === "" && type === DNSKEY)
    .flatMap((set) => decode<Dnskey>(set, decodeDnskey))
    .filter(({ flags }) => (flags & KEY_FLAGS) === dnskeyFlag.secureEntryPoint);
  const known = await keysThatDsMean(anchors, "", keys);
  return keys.filter((key) => !known.includes(key)).map(({ keyTag }) => keyTag);
}

function refused(error: unknown): null {
  if (error instanceof VerificationError || error instanceof UnusableError) return null;
  throw error;
}

export type WitnessKeeper = ReturnType<typeof createWitnessKeeper>;

/** `look` resolves to null if no source has proved a signature of the root. `monotonic` is in milliseconds. */
export function createWitnessKeeper(
  look: () => Promise<RootLook | null>,
  { monotonic, events }: { readonly monotonic: () => number; readonly events: TimeEvents },
) {
  let newest: SignaturePeriod | null = null;
  let unknownKeys: readonly number[] = [];
  let isFresh = false;
  let isSaid = false;
  let jumps = 0;
  let failures = 0;
  let dueAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  /** The number of jumps when the last look that has ended began. */
  let askedAt = -1;

  async function lookOnce(agrees: () => Promise<boolean>): Promise<void> {
    const before = jumps;
    let isSettled = false;
    try {
      const root = await look();
      // If the clock has jumped meanwhile, the answer proves only that it is not earlier.
      if (jumps === before) isFresh = isFresh || root !== null;
      if (root !== null) {
        if (newest === null || root.inception > newest.inception) newest = root;
        // What a resolver repeats of years ago lists the keys of that time.
        if (root.inception >= newest.inception - OLD_S) noteKeys(root.unknownKeys);
      }
      isSettled = root !== null && (await agrees());
    } finally {
      askedAt = before;
      // If the clock has jumped meanwhile, the next look is due at once.
      if (jumps === before) later(isSettled);
    }
    if (newest !== null || isSaid || failures < UNWITNESSED_LOOKS) return;
    isSaid = true;
    events.clockUnwitnessed();
  }

  /** Reports each key once. */
  function noteKeys(keyTags: readonly number[]): void {
    events.rootSeen({ unknownKeys: keyTags.length });
    if (keyTags.some((tag) => !unknownKeys.includes(tag))) events.rootKeyUnknown({ keyTags });
    unknownKeys = keyTags;
  }

  function later(isSettled: boolean): void {
    const retryMs = Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** failures);
    dueAtMs = monotonic() + (isSettled ? INTERVAL_MS : retryMs);
    failures = isSettled ? 0 : failures + 1;
  }

  return {
    newest: () => newest && { ...newest, isFresh },
    unknownKeys: () => unknownKeys,
    /** From now on, earlier answers prove only that it is not earlier. */
    noteJump(): void {
      jumps++;
      isFresh = false;
      failures = 0;
      dueAtMs = Number.NEGATIVE_INFINITY;
    },
    /** Whether no look that began after the start and the last jump has ended. */
    isUnasked: () => askedAt !== jumps,
    /**
     * Looks at the root if that is due: an hour after the last answer with which the clock `agrees`. An answer that
     * contradicts the clock may be an old one of a cache, so it counts like none. Callers share one look.
     */
    seek(agrees: () => Promise<boolean>): Promise<void> {
      if (looking === null && monotonic() >= dueAtMs) {
        looking = lookOnce(agrees).finally(() => {
          looking = null;
        });
      }
      return looking ?? Promise.resolve();
    },
  };
}

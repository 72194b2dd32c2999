// The link that hands a set-up on. It contains the record with a MAC; none of it is secret.

import type { CookieSeal } from "../../keys/cookie-seal.ts";
import type { StatementKeyring } from "../../keys/keyring.ts";

export interface HandedOn {
  readonly domain: string;
  readonly acct: string;
  readonly jkt: readonly string[];
  /** Null if this service has withdrawn a key of the record since. */
  readonly spk: readonly string[] | null;
  /** Epoch seconds. */
  readonly startedAt: number;
  readonly app: AppReference;
}

/**
 * The id of a client that the operator registered, whose name is looked up, or the host of any other client. The host
 * must be in the link: nothing else about such a client is certain, and to read its document would send a request.
 */
export type AppReference = { readonly clientId: string } | { readonly host: string };

export interface Deps {
  readonly issuer: string;
  readonly linkSeal: CookieSeal;
  readonly keyring: StatementKeyring;
}

/** Can be in a path; neither domains nor base64url contain it. */
const SEPARATOR = "~";
/** What all ids of registered clients begin with. */
const CLIENT_PREFIX = "dsid_";
const ACCT_OCTETS = 16;
const THUMBPRINT_OCTETS = 32;
/** Enough to find a statement key among all that this service has had. */
const KEY_START_OCTETS = 4;

/**
 * A link is `<issuer>/set-up/<domain>~<signed>` or `<issuer>/set-up/<domain>~<host>~<signed>`. Domain and host are text
 * because base64url would make them longer. The signed octets are: the time (4), `acct` (16), the numbers of `jkt` and of
 * `spk` (half an octet each), each `jkt` (32), the start of each `spk` (4), and the rest of the client's id.
 */
export function createHandOnLinks({ issuer, linkSeal, keyring }: Deps) {
  /** The MAC covers the link from its first character on. */
  const labelOf = (start: string) => `${issuer}/set-up/${start}`;

  /** The last segment of the path. */
  function make(handedOn: HandedOn & { readonly spk: readonly string[] }): string {
    const { domain, acct, jkt, spk, startedAt, app } = handedOn;
    const head = Buffer.alloc(4);
    head.writeUInt32BE(startedAt);
    const content = Buffer.concat([
      head,
      octetsOf(acct),
      Buffer.of(jkt.length * 16 + spk.length),
      ...jkt.map(octetsOf),
      ...spk.map((kid) => octetsOf(kid).subarray(0, KEY_START_OCTETS)),
      "clientId" in app ? octetsOf(app.clientId.slice(CLIENT_PREFIX.length)) : Buffer.alloc(0),
    ]);
    const names = "host" in app ? [domain, app.host] : [domain];
    const start = names.map((name) => name + SEPARATOR).join("");
    return start + linkSeal.sign(labelOf(start), content);
  }

  /** Null if it was not made here, or was changed. Rejects with `UnavailableError` if the keys cannot be read. */
  async function read(link: string): Promise<HandedOn | null> {
    const start = link.slice(0, link.lastIndexOf(SEPARATOR) + 1);
    const content = await linkSeal.verified(labelOf(start), link.slice(start.length));
    if (content === null) return null;
    let rest = content;
    const next = (octets: number) => {
      const taken = rest.subarray(0, octets);
      rest = rest.subarray(octets);
      return taken;
    };
    const startedAt = next(4).readUInt32BE();
    const acct = textOf(next(ACCT_OCTETS));
    const counts = next(1).readUInt8();
    const jkt = Array.from({ length: counts >> 4 }, () => textOf(next(THUMBPRINT_OCTETS)));
    const starts = Array.from({ length: counts & 15 }, () => next(KEY_START_OCTETS));
    const found = await Promise.all(starts.map(keyring.findStatementKey));
    const spk = found.filter((kid) => kid !== null);
    const clientId = CLIENT_PREFIX + textOf(rest);
    const [domain = "", ...host] = start.slice(0, -1).split(SEPARATOR);
    return {
      ...{ domain, acct, jkt, startedAt },
      spk: spk.length === found.length ? spk : null,
      app: host.length === 0 ? { clientId } : { host: host.join(SEPARATOR) },
    };
  }

  return { make, read };
}

function octetsOf(text: string): Buffer {
  return Buffer.from(text, "base64url");
}

function textOf(octets: Buffer): string {
  return octets.toString("base64url");
}

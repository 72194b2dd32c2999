// The key pairs of a signed zone, with their DNSKEY and DS records (RFC 4034 §2, §5).

import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { encodeName } from "domain-signin-verify/dns/name";
import { joinOctets, uint } from "domain-signin-verify/dns/octets";

export const dnssecType = { DS: 43, RRSIG: 46, NSEC: 47, DNSKEY: 48 } as const;

/** 13 is ECDSA on P-256 with SHA-256 (RFC 6605), 15 is Ed25519 (RFC 8080). */
export type ZoneAlgorithm = 13 | 15;

export type ZoneKey = {
  readonly algorithm: ZoneAlgorithm;
  readonly tag: number;
  /** The rdata of its DNSKEY record. */
  readonly dnskey: Uint8Array;
  sign(data: Uint8Array): Uint8Array;
};

/** The DS in the parent zone names the key-signing key; the zone-signing key signs everything else. */
export type ZoneKeys = { readonly keySigning: ZoneKey; readonly zoneSigning: ZoneKey };

const KEY_SIGNING_FLAGS = 257;
const ZONE_SIGNING_FLAGS = 256;
const PROTOCOL = 3;
const DIGEST_SHA256 = 2;

export function createZoneKeys(algorithm: ZoneAlgorithm): ZoneKeys {
  const keySigning = zoneKey(algorithm, KEY_SIGNING_FLAGS, newPrivateKey(algorithm));
  for (;;) {
    const zoneSigning = zoneKey(algorithm, ZONE_SIGNING_FLAGS, newPrivateKey(algorithm));
    // Different tags let tests tell which key made a signature.
    if (zoneSigning.tag !== keySigning.tag) return { keySigning, zoneSigning };
  }
}

export function zoneKey(algorithm: ZoneAlgorithm, flags: number, privateKey: KeyObject): ZoneKey {
  const { x = "", y = "" } = privateKey.export({ format: "jwk" });
  const publicKey = [x, ...(algorithm === 13 ? [y] : [])].map((part) =>
    Buffer.from(part, "base64url"),
  );
  const head = [uint(flags, 2), uint(PROTOCOL, 1), uint(algorithm, 1)];
  const dnskey = joinOctets([...head, ...publicKey]);
  return {
    algorithm,
    tag: keyTag(dnskey),
    dnskey,
    sign: (data) =>
      algorithm === 13
        ? sign("sha256", data, { key: privateKey, dsaEncoding: "ieee-p1363" })
        : sign(null, data, privateKey),
  };
}

/** The rdata of the parent zone's DS record for a key of `zone`. */
export function dsRdata(zone: string, key: ZoneKey): Uint8Array {
  const head = [uint(key.tag, 2), uint(key.algorithm, 1), uint(DIGEST_SHA256, 1)];
  return joinOctets([...head, digestOf(zone, key)]);
}

/** The DS record in presentation format, for use as a trust anchor. */
export function anchorText(zone: string, key: ZoneKey, ttl: number): string {
  const digest = digestOf(zone, key).toString("hex").toUpperCase();
  return `${zone}. ${ttl} IN DS ${key.tag} ${key.algorithm} ${DIGEST_SHA256} ${digest}`;
}

const publicKeyEncoding = { type: "spki", format: "pem" } as const;
const privateKeyEncoding = { type: "pkcs8", format: "pem" } as const;

/**
 * Parses the key from PEM: Node 20 can deadlock if it exports a generated key as a JWK while the job
 * that generated the key is garbage-collected.
 */
function newPrivateKey(algorithm: ZoneAlgorithm): KeyObject {
  const pkcs8: string =
    algorithm === 13
      ? generateKeyPairSync("ec", { namedCurve: "P-256", publicKeyEncoding, privateKeyEncoding })
          .privateKey
      : generateKeyPairSync("ed25519", { publicKeyEncoding, privateKeyEncoding }).privateKey;
  return createPrivateKey(pkcs8);
}

function digestOf(zone: string, { dnskey }: ZoneKey): Buffer {
  return createHash("sha256").update(encodeName(zone)).update(dnskey).digest();
}

/** A sum over the rdata in units of two octets (RFC 4034 appendix B). */
function keyTag(dnskey: Uint8Array): number {
  const sum = dnskey.reduce((total, octet, at) => total + (at % 2 === 0 ? octet * 256 : octet), 0);
  return (sum + (sum >>> 16)) & 0xffff;
}

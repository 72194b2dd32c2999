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

/** One key signs the keys and is named by the parent zone, the other signs the rest. */
export type ZoneKeys = { readonly keySigning: ZoneKey; readonly zoneSigning: ZoneKey };

const keySigningFlags = 257;
const zoneSigningFlags = 256;
const protocol = 3;
const digestSha256 = 2;

export function createZoneKeys(algorithm: ZoneAlgorithm): ZoneKeys {
  const keySigning = zoneKey(algorithm, keySigningFlags, newPrivateKey(algorithm));
  for (;;) {
    const zoneSigning = zoneKey(algorithm, zoneSigningFlags, newPrivateKey(algorithm));
    // With one tag for both, a test could not tell by which key something is signed.
    if (zoneSigning.tag !== keySigning.tag) return { keySigning, zoneSigning };
  }
}

export function zoneKey(algorithm: ZoneAlgorithm, flags: number, privateKey: KeyObject): ZoneKey {
  const { x = "", y = "" } = privateKey.export({ format: "jwk" });
  const publicKey = [x, ...(algorithm === 13 ? [y] : [])].map((part) =>
    Buffer.from(part, "base64url"),
  );
  const head = [uint(flags, 2), uint(protocol, 1), uint(algorithm, 1)];
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

/** The rdata of the DS record by which the parent zone names a key of `zone`. */
export function dsRdata(zone: string, key: ZoneKey): Uint8Array {
  const head = [uint(key.tag, 2), uint(key.algorithm, 1), uint(digestSha256, 1)];
  return joinOctets([...head, digestOf(zone, key)]);
}

/** The DS record in the form of a zone file, for whoever has to trust the zone. */
export function anchorText(zone: string, key: ZoneKey, ttl: number): string {
  const digest = digestOf(zone, key).toString("hex").toUpperCase();
  return `${zone}. ${ttl} IN DS ${key.tag} ${key.algorithm} ${digestSha256} ${digest}`;
}

const publicKeyEncoding = { type: "spki", format: "pem" } as const;
const privateKeyEncoding = { type: "pkcs8", format: "pem" } as const;

/**
 * Read back from its text: Node 20 may stop for good when it exports a key as a JWK while garbage
 * collection removes the job that made that very key.
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

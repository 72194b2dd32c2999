// A second reading of RFC 4034 §3.1.8.1, independent of the signer: whether a key made an RRSIG.

import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { encodeName } from "domain-signin-verify/dns/name";

const rrsigType = 46;
const signerStart = 18;

/** Of the first set of the type in a section: whether one of its signatures is by one of the keys. */
export function isSigned(
  section: readonly DnsRecord[],
  type: number,
  dnskeys: readonly Buffer[],
  at: number,
): boolean {
  const name = section.find((record) => record.type === type)?.name;
  const set = section.filter((record) => record.name === name && record.type === type);
  return section
    .filter((record) => record.name === name && record.type === rrsigType)
    .map(({ rdata }) => Buffer.from(rdata))
    .filter((rrsig) => rrsig.readUInt16BE(0) === type)
    .some(
      (rrsig) =>
        rrsig.readUInt32BE(12) <= at &&
        at <= rrsig.readUInt32BE(8) &&
        dnskeys.some((dnskey) => isBy(dnskey, rrsig, set)),
    );
}

export function rdatasOf(section: readonly DnsRecord[], type: number): Buffer[] {
  return section.filter((record) => record.type === type).map(({ rdata }) => Buffer.from(rdata));
}

function isBy(dnskey: Buffer, rrsig: Buffer, set: readonly DnsRecord[]): boolean {
  const algorithm = rrsig.readUInt8(2);
  const labels = rrsig.readUInt8(3);
  let signerEnd = signerStart;
  while (rrsig.readUInt8(signerEnd) !== 0) signerEnd += 1 + rrsig.readUInt8(signerEnd);
  signerEnd += 1;
  const data = Buffer.concat([
    rrsig.subarray(0, signerEnd),
    ...set
      .map((record) => {
        const parts = record.name === "" ? [] : record.name.split(".");
        const owner = parts.length > labels ? ["*", ...parts.slice(parts.length - labels)] : parts;
        const fixed = Buffer.alloc(10);
        fixed.writeUInt16BE(record.type, 0);
        fixed.writeUInt16BE(record.class, 2);
        fixed.writeUInt32BE(rrsig.readUInt32BE(4), 4);
        fixed.writeUInt16BE(record.rdata.length, 8);
        return { head: [encodeName(owner.join(".")), fixed], rdata: record.rdata };
      })
      .sort((one, other) => Buffer.compare(one.rdata, other.rdata))
      .flatMap(({ head, rdata }) => [...head, rdata]),
  ]);
  const signature = rrsig.subarray(signerEnd);
  if (dnskey.readUInt8(3) !== algorithm) return false;
  const key = publicKeyOf(dnskey);
  return algorithm === 13
    ? verify("sha256", data, { key, dsaEncoding: "ieee-p1363" }, signature)
    : verify(null, data, key, signature);
}

function publicKeyOf(dnskey: Buffer): KeyObject {
  const text = (start: number, end: number) => dnskey.subarray(start, end).toString("base64url");
  const key =
    dnskey.readUInt8(3) === 13
      ? { kty: "EC", crv: "P-256", x: text(4, 36), y: text(36, 68) }
      : { kty: "OKP", crv: "Ed25519", x: text(4, 36) };
  return createPublicKey({ key, format: "jwk" });
}

// Certificates of which only the time is wrong: accepted where the clock is what is in question.

import { X509Certificate } from "node:crypto";
import tls, { checkServerIdentity, rootCertificates, type TLSSocket } from "node:tls";

const OF_TIME = ["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"];
const MAX_DEPTH = 8;
/** The purpose "server authentication" (RFC 5280 §4.2.1.12), and any purpose. */
const PURPOSES = ["1.3.6.1.5.5.7.3.1", "2.5.29.37.0"];
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Why the certificate of this connection is refused, or null. An expired or not yet valid certificate is accepted if
 * all else is right: the chain to an authority of `ca` (PEM; default: those of Node), its purpose and the name.
 *
 * The library reports one error of several, and then does not check the name, so both are checked here.
 */
export function mistakeButForTime(socket: TLSSocket, name: string, ca?: string): string | null {
  if (socket.authorized) return null;
  try {
    return mistakeOf(socket, name, ca);
  } catch {
    return "ERR_TLS_INVALID_CERTIFICATE";
  }
}

function mistakeOf(socket: TLSSocket, name: string, ca: string | undefined): string | null {
  const error = String(socket.authorizationError);
  if (!OF_TIME.includes(error)) return error;
  const leaf = socket.getPeerCertificate(true);
  const wrongName = checkServerIdentity(name, leaf);
  if (wrongName !== undefined) return "ERR_TLS_CERT_ALTNAME_INVALID";
  const authorities = ca === undefined ? authoritiesOfNode() : (ca.match(CERTIFICATE) ?? []);
  const roots = authorities.map((pem) => new X509Certificate(pem));
  const chain: X509Certificate[] = [];
  for (let at = leaf; chain.length < MAX_DEPTH; at = at.issuerCertificate) {
    chain.push(new X509Certificate(at.raw));
    if (!at.issuerCertificate || at.issuerCertificate === at) break;
  }
  const purposes = chain[0]?.keyUsage;
  if (purposes && !PURPOSES.some((one) => purposes.includes(one))) return "INVALID_PURPOSE";
  return leadsToOneOf(roots, chain) ? null : "UNABLE_TO_VERIFY_LEAF_SIGNATURE";
}

/** With those of `NODE_EXTRA_CA_CERTS` where Node tells them (from 22.15 on). */
function authoritiesOfNode(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: "default") => string[] };
  return getCACertificates?.("default") ?? rootCertificates;
}

function leadsToOneOf(roots: readonly X509Certificate[], chain: readonly X509Certificate[]) {
  for (const [depth, certificate] of chain.entries()) {
    if (roots.some((root) => isIssuedBy(certificate, root))) return true;
    const issuer = chain[depth + 1];
    if (!issuer?.ca || !isIssuedBy(certificate, issuer)) return false;
  }
  return false;
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

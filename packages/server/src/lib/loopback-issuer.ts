// Whether an issuer is on this machine, for development.

/** `http://localhost:PORT`, or `https://localhost` behind a proxy with a certificate of the developer. */
export function isLoopbackIssuer(issuer: string): boolean {
  return URL.canParse(issuer) && new URL(issuer).hostname === "localhost";
}

// The addresses of the account page, to which its own sign-ins lead.

export function accountUri(issuer: string): string {
  return `${issuer}/account`;
}

/** A sign-in that leads here was made to add a passkey. */
export function newPasskeyUri(issuer: string): string {
  return `${accountUri(issuer)}/new-passkey`;
}

// The addresses of the account page, to which its own sign-ins lead.

/** The changes of an account that need an authentication made for them. Each is a page of its interaction. */
export const ACCOUNT_CHANGES = [
  "new-passkey",
  "remove-passkey",
  "new-codes",
  "delete-account",
] as const;
export type AccountChange = (typeof ACCOUNT_CHANGES)[number];

export function accountUri(issuer: string): string {
  return `${issuer}/account`;
}

/** The redirect URI of a sign-in that was made for this change. */
export function changeUri(issuer: string, change: AccountChange): string {
  return `${accountUri(issuer)}/${change}`;
}

/** The change that a sign-in of the account page was made for; undefined if for none. */
export function changeAt(issuer: string, redirectUri: string): AccountChange | undefined {
  return ACCOUNT_CHANGES.find((change) => changeUri(issuer, change) === redirectUri);
}

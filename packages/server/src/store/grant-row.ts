// The row of a grant, and what a request presents to change it.

export interface Grant {
  readonly id: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly redirectUri: string;
  /** Scopes granted, separated by spaces; their order is that of the access token's scope mask. */
  readonly scope: string;
  /** JSON: the resources that access tokens can be made for, see `oauth/grant-resources`; null for none. */
  readonly resources: string | null;
  /** Base64url SHA-256 of the PKCE verifier. */
  readonly codeChallenge: string | null;
  /** Null once the code has been redeemed or has expired. */
  readonly nonce: string | null;
  readonly authTime: number;
  readonly amr: string;
  readonly createdAt: number;
  readonly codeExpiresAt: number;
  /** 0 is the code, 1 the first refresh token; grows by one per rotation. */
  readonly generation: number;
  readonly rotatedAt: number | null;
  readonly refreshExpiresAt: number | null;
  /** Absolute end, which rotations do not extend. */
  readonly expiresAt: number;
  /** When the record was last seen to name the account. */
  readonly controlCheckedAt: number;
  readonly revokedAt: number | null;
  /** The redemption or rotation that made this generation; null for a code. A random id, no secret. */
  readonly attempt: string | null;
  /** The generation whose answer this service failed to deliver; it counts only while it is the current one. */
  readonly undelivered: number | null;
  /** When a client got such an answer after all. */
  readonly redeliveredAt: number | null;
}

/** A grant that was just changed: what its new tokens are made from. */
export type GrantForTokens = Pick<
  Grant,
  | ("id" | "clientId" | "accountId" | "scope" | "resources" | "authTime" | "amr")
  | ("generation" | "rotatedAt" | "controlCheckedAt")
>;

export interface Attempted {
  /** Identifies the change of one request. The row keeps it, so that the request can recognize its own change. */
  readonly attempt?: string | undefined;
  /** Called when the database is asked for the change: no other request for the same row is in the way any more. */
  readonly whenBegun?: (() => void) | undefined;
}

/** A code, with the values that must be the same as when it was issued. */
export interface PresentedCode
  extends Pick<Grant, "id" | "clientId" | "redirectUri" | "codeChallenge">,
    Attempted {
  readonly refreshExpiresAt: number;
  readonly now: number;
}

export interface PresentedRefreshToken
  extends Pick<Grant, "id" | "clientId" | "generation">,
    Attempted {
  readonly refreshExpiresAt: number;
  /** The rotation requires a lookup of the record after this time. */
  readonly controlCheckedAfter: number;
  readonly now: number;
}

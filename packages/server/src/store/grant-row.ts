// The row of a grant, and what a request presents to change it.

export interface GrantedAccess {
  readonly id: string;
  readonly accountId: string;
  /** Scopes granted, separated by spaces; their order is that of the access token's scope mask. */
  readonly scope: string;
  /** JSON: the resources that access tokens can be made for, see `oauth/grant-resources`; null for none. */
  readonly resources: string | null;
  readonly authTime: number;
  readonly amr: string;
}

/** What the change of a grant returns. */
export interface ChangedGrant extends GrantedAccess {
  readonly rotatedAt: number | null;
  /** When the record was last seen to name the account. */
  readonly controlCheckedAt: number;
}

/** What the ID token says beside the account. */
interface Requested {
  /** Null also some time after the code has expired. */
  readonly nonce: string | null;
  /** The session of the sign-in. Null if an earlier version issued the code. */
  readonly sid: string | null;
  /** Claims of the scope `profile` that the request wants in the ID token, separated by spaces; null for none. */
  readonly claims: string | null;
}

/** A grant that was just changed: what its new tokens are made from. */
export interface GrantForTokens extends ChangedGrant {
  readonly clientId: string;
  /** 0 is the code, 1 the first refresh token; grows by one per rotation. */
  readonly generation: number;
}

/** A grant whose code was just redeemed: what its ID token is made from. */
export interface RedeemedGrant extends GrantForTokens, Requested {
  readonly codeChallenge: string | null;
  /** Of the account, like the rest. */
  readonly domain: string;
  readonly domainSince: number;
  readonly acct: string;
}

export interface Grant extends GrantForTokens, Requested {
  readonly redirectUri: string;
  /** Base64url SHA-256 of the PKCE verifier. */
  readonly codeChallenge: string | null;
  readonly createdAt: number;
  readonly codeExpiresAt: number;
  readonly refreshExpiresAt: number | null;
  /** Absolute end, which rotations do not extend. */
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** The redemption or rotation that made this generation; null for a code. A random id, no secret. */
  readonly attempt: string | null;
  /** The generation whose answer this service failed to deliver; it counts only while it is the current one. */
  readonly undelivered: number | null;
  /** When a client got such an answer after all. */
  readonly redeliveredAt: number | null;
}

interface Presented {
  readonly id: string;
  readonly clientId: string;
  readonly refreshExpiresAt: number;
  readonly now: number;
  /** Identifies the change of one request. The row keeps it, so that the request can recognize its own change. */
  readonly attempt?: string | undefined;
  /** Called when the database is asked for the change: no other request for the same row is in the way any more. */
  readonly whenBegun?: (() => void) | undefined;
}

/** A code, with the values that must be the same as when it was issued. */
export interface PresentedCode extends Presented {
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
}

export interface PresentedRefreshToken extends Presented {
  readonly generation: number;
  /** The rotation requires a lookup of the record after this time. */
  readonly controlCheckedAfter: number;
  /** Whether a grant with resources is changed too. Otherwise their scopes must be checked first. Default: true. */
  readonly mayHaveResources?: boolean;
}

// What a client is registered with unless its registration says otherwise.

const DAY = 86_400;

/** In the names of a registration; times in seconds. */
export const CLIENT_DEFAULTS = {
  application_type: "web",
  scope: "openid",
  /** A native app that anyone can claim to be asks each time. */
  consent: "first",
  /** A public client needs it in any case. */
  require_pkce: false,
  refresh_client_auth: "required",
  subject_type: "account",
  validation_data: true,
  /** What OIDC's dynamic registration has as its default. */
  id_token_signed_response_alg: "RS256",
  refresh_idle_lifetime: 30 * DAY,
  refresh_absolute_lifetime: 365 * DAY,
  refresh_retry_window: 30,
} as const;

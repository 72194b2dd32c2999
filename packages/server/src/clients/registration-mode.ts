// Who may register clients at `/oauth/register`: a setting that the endpoint, the metadata and the configuration share.

/** Nobody; anyone; or anyone who has the initial access token. */
export const REGISTRATION_MODES = ["off", "open", "token"] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** Whether a confidential client that registers itself must use PKCE, or may send a nonce instead. */
export const REGISTRATION_PKCE = ["optional", "required"] as const;
export type RegistrationPkce = (typeof REGISTRATION_PKCE)[number];

/** What is wrong with the two settings together; null if nothing is. */
export function registrationMistake(config: {
  readonly registration?: RegistrationMode;
  readonly registrationToken?: string | undefined;
}): string | null {
  const { registration = "off", registrationToken: token } = config;
  if (registration === "token" && token === undefined) {
    return "registration is token, so registration_token is required";
  }
  return registration !== "token" && token !== undefined
    ? `registration_token is set, but registration is ${registration}: set registration to token`
    : null;
}

// The authentication context class reference (`acr`) of a sign-in, and whether it is one that a client requires.

/** Control of the domain was shown in DNS. */
const BY_DNS = "urn:domain-signin:dns";
/** Phishing-resistant (OpenID Connect EAP ACR Values): by a passkey. */
const BY_PASSKEY = "phr";

export const ACR_VALUES: readonly string[] = [BY_DNS, BY_PASSKEY];

/** What `amr` has for a passkey (RFC 8176 `pop`). */
const PASSKEY_METHOD = "pop";

/** `amr` as stored: values separated by spaces. */
export function acrOf(amr: string): string {
  return amr.split(" ").includes(PASSKEY_METHOD) ? BY_PASSKEY : BY_DNS;
}

/** Whether a client that requires one of these values, or none in particular, accepts this authentication. */
export function isAcrAccepted(amr: string, required: readonly string[] | null): boolean {
  return required === null || required.includes(acrOf(amr));
}

// Errors about clients: of their documents and registrations, and what a description may hold.

/** A registration that cannot be made (RFC 7591 §3.2.2): 400 with a JSON body. The message names the member. */
export class RegistrationError extends Error {
  override name = "RegistrationError";
  readonly code: "invalid_redirect_uri" | "invalid_client_metadata";

  constructor(code: RegistrationError["code"], description: string) {
    super(sanitizeDescription(description));
    this.code = code;
  }
}

/** A client's document cannot be fetched (`unreachable`) or is invalid (`bad`). */
export class ClientDocumentError extends Error {
  override name = "ClientDocumentError";
  readonly kind: "unreachable" | "bad";
  readonly host: string;

  /** `message` helps the operator of the host and may be shown to anyone. */
  constructor(kind: "unreachable" | "bad", host: string, message: string) {
    super(message);
    this.kind = kind;
    this.host = host;
  }
}

/** Removes characters that RFC 6749 §5.2 does not allow in an error_description. */
export function sanitizeDescription(text: string): string {
  return text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "").slice(0, 200);
}

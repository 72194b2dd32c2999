// Errors that are not caused by the user or the client.

/** A dependency does not respond: 503. Whether the operation took effect may be unknown. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}

/** A mistake of the operator. The message is printed without a stack trace. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

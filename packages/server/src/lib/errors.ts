// Errors that are not caused by the user or the client.

/** A dependency does not respond: 503. Whether the operation took effect may be unknown. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}

/** The same, but the operation has not begun and never will, so another attempt is safe. */
export class NotBegunError extends UnavailableError {
  override name = "NotBegunError";
}

/** The same, because of many requests for one row. A client can cause it: it proves no failure. */
export class ContendedError extends NotBegunError {
  override name = "ContendedError";
}

/** The clock has jumped ahead, and nothing has shown yet that it is right: what seems to have expired may not have. */
export class UncertainTimeError extends NotBegunError {
  override name = "UncertainTimeError";
  constructor() {
    super("the clock has jumped ahead, so it is not certain what has expired");
  }
}

/** The operation was handed over and there was no answer: it may have taken effect, or may still do so. */
export class UnknownOutcomeError extends UnavailableError {
  override name = "UnknownOutcomeError";
}

/** The outcome of an earlier request for the same grant is not written yet. That request failed, and not this one. */
export class MarkOwedError extends UnavailableError {
  override name = "MarkOwedError";
  constructor() {
    super("a mark of this grant is not written yet");
  }
}

/** As `UnavailableError`, but only for one domain, and often for long: no failure of the service. */
export class DomainUnavailableError extends UnavailableError {
  override name = "DomainUnavailableError";
}

/** The requester of the operation has no turn soon enough: nothing was asked, and nothing is known. */
export class BusyError extends NotBegunError {
  override name = "BusyError";
  readonly code = "busy";

  constructor() {
    super("this service is busy");
  }
}

/** Whether the error has the code of a `BusyError`. Requests to other hosts have errors of their own with that code. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "busy";
}

/** Null if the promise rejects because this service is busy. */
export async function unlessBusy<Value>(
  promise: Promise<Value>,
): Promise<{ readonly value: Value } | null> {
  try {
    return { value: await promise };
  } catch (error) {
    if (isBusy(error)) return null;
    throw error;
  }
}

/** A mistake of the operator. The message is printed without a stack trace. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

export function messageOf(cause: unknown): string {
  // For a name with several addresses, Node throws an AggregateError without a message.
  const errors = cause instanceof AggregateError ? cause.errors : [cause];
  return errors.map((error) => (error instanceof Error ? error.message : String(error))).join(", ");
}

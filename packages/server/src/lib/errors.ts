// The two kinds of failure that are nobody's fault in front of the screen.

/** Something that we depend on does not answer: 503, try again. Its outcome may be unknown. */
export class UnavailableError extends Error {
  override name = "UnavailableError";
}

/** The operator asked for something that cannot be: a message for a person, no stack trace. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

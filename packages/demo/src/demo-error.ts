// An error that the user can fix: the command prints its message without a stack trace.

export class DemoError extends Error {
  override name = "DemoError";
}

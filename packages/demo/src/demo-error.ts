// Errors of the demo in one line, without a stack trace, with what to do.

/** An error that the user can fix. */
export class DemoError extends Error {
  override name = "DemoError";
}

export const RUN_AGAIN = "Run the demo again; if it fails in the same way, report this line.";

/** The message in one line, and what caused it: `fetch` says only in its cause why it failed. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return firstLine(String(error));
  const { message, name, cause } = error;
  const own = firstLine(message) || firstErrorOf(error) || name;
  return cause instanceof Error ? `${own} (${messageOf(cause)})` : own;
}

/** The line that the demo ends with after an error that is not a `DemoError`. */
export function failureLine(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const isDisk = code === "ENOSPC" || code === "EDQUOT" || code === "EROFS";
  const advice = isDisk ? "Free some space, or set TMPDIR to another folder." : RUN_AGAIN;
  return `The demo failed: ${messageOf(error)}. ${advice}`;
}

/** For a name with several addresses, Node throws an `AggregateError` without a message. */
function firstErrorOf(error: Error): string {
  return error instanceof AggregateError ? messageOf(error.errors[0]) : "";
}

/** Without the period at its end, because a sentence follows. */
function firstLine(text: string): string {
  return (text.trim().split("\n", 1)[0] ?? "").trim().replace(/\.$/, "");
}

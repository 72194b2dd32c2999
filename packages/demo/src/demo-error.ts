// What the person who starts the demo can put right: a message for them, and no stack trace.

export class DemoError extends Error {
  override name = "DemoError";
}

// Marks the verbs of the store that end something, which an older copy of the database must not undo.

type Verb<Values extends readonly unknown[], Result> = (...values: Values) => Promise<Result>;

/**
 * A verb that ends access, a session, an account, a key, a client secret, a passkey or a recovery code. After each call
 * that has ended something, `backup/mark-keeper` moves the mark of the database. `hasEnded` says that of the result of
 * a call; by default a call has ended something unless it resolves to false.
 */
export function ending<Values extends readonly unknown[], Result>(
  verb: Verb<Values, Result>,
  hasEnded: (result: Result) => boolean = (result) => result !== false,
): Verb<Values, Result> {
  return Object.assign(verb, { hasEnded });
}

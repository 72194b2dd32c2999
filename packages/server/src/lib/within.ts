// Waiting for a promise for a limited time.

/**
 * Settles as the promise does, or gives null after the timeout. The timer ends with the wait, which that
 * of `AbortSignal.timeout` cannot.
 */
export function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

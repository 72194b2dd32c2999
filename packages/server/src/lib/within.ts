// Waits for a promise for a limited time.

/**
 * Settles as the promise does, or resolves to null after the timeout. Clears its timer, which is not
 * possible with `AbortSignal.timeout`.
 */
export function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

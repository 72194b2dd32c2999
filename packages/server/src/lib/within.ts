// Waits for a promise for a limited time, or until a signal is aborted.

/** Settles as the promise does, or resolves to null after the timeout. Clears its timer, unlike `AbortSignal.timeout`. */
export function within<T>(timeoutMs: number, promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), timeoutMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Settles as the promise does, or rejects with the signal's reason if the signal is aborted first. */
export function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

// Waiting for something, but not for ever.

/** What the promise gives in that many milliseconds, else null; what comes later is dropped. */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * What a promise answers, if it does within `ms`; what comes later is dropped.
 * @throws what `late` makes when it does not, and what the promise throws.
 */
export async function within<T>(
  ms: number,
  promise: Promise<T>,
  late = () => new Error(`No answer within ${ms} ms.`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

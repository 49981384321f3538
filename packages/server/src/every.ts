/**
 * Does work again and again, without keeping the process alive.
 *
 * @param milliseconds from one beginning to the next, however long the work takes
 * @param onError hears of each failure; without it failures are the work's own to handle
 * @returns the function that ends it
 */
export function every(
  milliseconds: number,
  work: () => void | Promise<void>,
  onError: (error: unknown) => void = () => {},
): () => void {
  const timer = setInterval(() => {
    (async () => work())().catch(onError);
  }, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

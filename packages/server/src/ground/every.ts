/**
 * Repeats work on a timer without keeping the process alive.
 *
 * @param milliseconds interval between two starts, however long the work takes
 * @param onError called on each failure; without it the work must handle its own failures
 * @returns a function that stops the timer
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

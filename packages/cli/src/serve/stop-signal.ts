/**
 * npm forwards Ctrl-C although the terminal has sent it already: a second signal within this time is the same keypress.
 */
const SAME_KEYPRESS_MS = 250;

/** Resolves with the first SIGTERM or SIGINT; the next one ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals) => {
      if (first === undefined) {
        first = performance.now();
        resolve(signal);
      } else if (performance.now() - first > SAME_KEYPRESS_MS) process.exit(signal === "SIGINT" ? 130 : 143);
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  });
}

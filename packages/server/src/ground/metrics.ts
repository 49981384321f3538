/** The calls to a store that are measured. */
export type StoreCall = "get" | "list" | "batch" | "increment" | "read" | "head" | "lease" | "release" | "publish";

/** Values that are read when the metrics are collected. */
export interface MetricSources {
  /** The open streams of each kind. */
  streams(): { definitions: number; audit: number };
  /** Whether writes to the store succeed. */
  isWritable(): boolean;
  /** How many damaged records the store has set aside. */
  damagedRecords(): number;
}

/** Counts and measures what the server does. Labels have few values, which never come from users. */
export interface Metrics {
  /**
   * @param route the template of the route; null for unknown paths
   * @param seconds until the response is ready
   */
  request(method: string, route: string | null, status: number, seconds: number): void;
  /** Counts the result of a flag by its reason. */
  evaluated(reason: string): void;
  events(outcome: "stored" | "duplicate" | "rejected", count: number): void;
  stored(operation: StoreCall, seconds: number, hasFailed: boolean): void;
  /** @param endedAt milliseconds since 1970 */
  ran(job: string, hasFailed: boolean, seconds: number, endedAt: number): void;
  /** Adds the metrics whose values are read from elsewhere. Call it once. */
  watch(sources: MetricSources): void;
  /** Returns the metrics in the text format of Prometheus. Rejects if metrics are off. */
  collect(): Promise<{ text: string; contentType: string }>;
  /** Forgets everything, so that the process can end. */
  close(): void;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Returns a method as a label: clients can send any word, so others than the usual ones are `_OTHER`. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : "_OTHER";
}

/** Measures nothing. */
export const noMetrics: Metrics = {
  request() {},
  evaluated() {},
  events() {},
  stored() {},
  ran() {},
  watch() {},
  collect: () => Promise.reject(new Error("Metrics are off; create the server with the option `metrics: true`")),
  close() {},
};

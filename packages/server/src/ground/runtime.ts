import { newId } from "./ids.ts";
import { type Metrics, noMetrics } from "./metrics.ts";
import { createTracing, type Tracing } from "./tracing.ts";

/** Clock, ids, logger, metrics and spans. Tests replace them. */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number;
  /** The time at the start of the process plus the time since then: it does not jump when the clock is set. */
  steady(): number;
  /** A new UUIDv7. */
  id(): string;
  logger: Logger;
  metrics: Metrics;
  tracing: Tracing;
}

export interface Logger {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

export const silentLogger: Logger = { info() {}, warn() {}, error() {} };

/** One JSON object per line on standard error. */
export const consoleLogger: Logger = {
  info: (message, fields) => write("info", message, fields),
  warn: (message, fields) => write("warn", message, fields),
  error: (message, fields) => write("error", message, fields),
};

function write(level: string, message: string, fields: Record<string, unknown> = {}): void {
  console.error(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }));
}

const STARTED = Date.now() - performance.now();
const steady = (): number => STARTED + performance.now();

export function createRuntime(options: Partial<Runtime> = {}): Runtime {
  const now = options.now ?? Date.now;
  const telemetry = { logger: consoleLogger, metrics: noMetrics, tracing: createTracing() };
  return { now, steady: options.now ?? steady, id: newId, ...telemetry, ...options };
}

/** Formats a time for the API. */
export function timestampOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

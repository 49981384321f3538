import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { knownMethod, type MetricSources, type Metrics } from "./metrics.ts";

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STORE_SECONDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
const JOB_SECONDS = [0.01, 0.1, 1, 10, 60, 600];

/** Creates metrics in their own registry, with those of the process. */
export function createPrometheus(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name: `assay_${name}`, help, labelNames, buckets, registers });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[], collect?: Collect<Label>) =>
    new Counter({ name: `assay_${name}`, help, labelNames, registers, ...(collect && { collect }) });

  collectDefaultMetrics({ register: registry });
  const requests = histogram(
    "http_request_duration_seconds",
    "Time from a request to its response, without the body of a stream",
    ["method", "route", "status"],
    REQUEST_SECONDS,
  );
  // One request can evaluate hundreds of flags, so evaluations only touch a map.
  const byReason = new Map<string, number>();
  counter(
    "evaluations_total",
    "Flags that this process evaluated, by the reason of the result",
    ["reason"],
    function () {
      this.reset();
      for (const [reason, count] of byReason) this.inc({ reason }, count);
    },
  );
  const events = counter("events_total", "Events received, by outcome: stored, duplicate or rejected", ["outcome"]);
  const calls = histogram(
    "store_operation_duration_seconds",
    "Time of the calls to the store",
    ["operation"],
    STORE_SECONDS,
  );
  const errors = counter("store_operation_errors_total", "Calls to the store that failed", ["operation"]);
  const runs = histogram("job_duration_seconds", "Time of the runs of jobs on this process", ["job"], JOB_SECONDS);
  const failures = counter("job_failures_total", "Runs of jobs that failed on this process", ["job"]);
  const successes = new Gauge({
    name: "assay_job_last_success_timestamp_seconds",
    help: "End of the last successful run of a job on this process, in seconds since 1970",
    labelNames: ["job"],
    registers,
  });

  return {
    request(method, route, status, seconds) {
      requests.observe({ method: knownMethod(method), route: route ?? "none", status }, seconds);
    },
    evaluated(reason) {
      byReason.set(reason, (byReason.get(reason) ?? 0) + 1);
    },
    events: (outcome, count) => events.inc({ outcome }, count),
    stored(operation, seconds, hasFailed) {
      calls.observe({ operation }, seconds);
      if (hasFailed) errors.inc({ operation });
    },
    ran(job, hasFailed, seconds, endedAt) {
      runs.observe({ job }, seconds);
      if (hasFailed) failures.inc({ job });
      else successes.set({ job }, endedAt / 1000);
    },
    watch: (sources) => addGauges(registry, sources),
    collect: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
    close: () => registry.clear(),
  };
}

type Collect<Label extends string> = (this: Counter<Label>) => void;

function addGauges(registry: Registry, { streams, isWritable, damagedRecords }: MetricSources): void {
  const registers = [registry];
  new Gauge({
    name: "assay_streams_open",
    help: "Open event streams, by kind: definitions or audit",
    labelNames: ["kind"],
    registers,
    collect() {
      for (const [kind, count] of Object.entries(streams())) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: "assay_store_writable",
    help: "1 while writes to the store succeed, otherwise 0",
    registers,
    collect() {
      this.set(isWritable() ? 1 : 0);
    },
  });
  new Gauge({
    name: "assay_store_damaged_records",
    help: "Damaged records that the store has set aside",
    registers,
    collect() {
      this.set(damagedRecords());
    },
  });
}

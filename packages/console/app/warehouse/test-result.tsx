import type { WarehouseTestResult } from "@assay/client";
import { TEXT } from "../text.ts";

const { warehouse: text } = TEXT;

/** What a test of a connection found. */
export function TestResult({ result }: { result: WarehouseTestResult | undefined }) {
  return (
    <span aria-live="polite">
      {result && (
        <>
          <span className={`badge ${result.success ? "state-active" : "critical"}`}>
            {result.success ? text.works : text.fails}
          </span>{" "}
          {result.error ?? text.took(result.latency_ms)}
        </>
      )}
    </span>
  );
}

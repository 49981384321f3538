import type { FlagSafety } from "@assay/client";
import { TEXT } from "../text.ts";

const LOOK = { HEALTHY: "state-active", WARNING: "warn", CRITICAL: "critical", UNKNOWN: "" };

/** The health of a flag or of one metric, by word, shape and colour. */
export function Health({ health }: { health: FlagSafety["health"] }) {
  return <span className={`badge ${LOOK[health]}`}>{TEXT.safety.healths[health]}</span>;
}

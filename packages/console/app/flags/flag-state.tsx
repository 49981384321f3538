import type { FeatureFlag } from "@assay/client";
import { TEXT } from "../text.ts";

/** The state of a flag, by word and shape. */
export function FlagState({ status }: { status: FeatureFlag["status"] }) {
  return <span className={`badge state-${status.toLowerCase()}`}>{TEXT.flags.states[status]}</span>;
}

import { readFileSync } from "node:fs";
import type { AssignmentReason } from "../src/format/assignment.ts";
import type { Definitions, JsonValue } from "../src/format/definition.ts";
import type { Reason } from "../src/format/result.ts";

/** One user of `participation.json`, and the answer for each experiment and flag. */
export interface ParticipationVector {
  user_id: string;
  attributes: Record<string, string | number>;
  experiments: Record<string, [variant: string, reason: AssignmentReason]>;
  flags: Record<string, [value: JsonValue, variant: string | null, reason: Reason]>;
}

/** Definitions in which a holdout, a mutual-exclusion group and segments decide, with the expected answers. */
export const participationVectors: { definitions: Definitions; cases: ParticipationVector[] } = JSON.parse(
  readFileSync(new URL("./participation.json", import.meta.url), "utf8"),
);

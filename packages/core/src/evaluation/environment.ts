import type { SegmentLookup } from "../targeting/scope.ts";
import type { ExperimentDefinition, GroupDefinition, HoldoutDefinition } from "./definition.ts";
import type { CompiledFlag } from "./flag.ts";

/** What a flag or an experiment refers to beyond its own definition; each part may be left out. */
export interface Environment {
  /** A stored segment by id or name, asked at evaluation. */
  segment?: SegmentLookup;
  /** Another flag, asked at evaluation: prerequisites, and the arms of experiments over a flag. */
  flag?: (key: string) => CompiledFlag | undefined;
  /** The ACTIVE experiment over a flag, asked at compilation. */
  experiment?: (flagKey: string) => ExperimentDefinition | undefined;
  holdout?: HoldoutDefinition | null;
  /** A mutual-exclusion group by id, asked at compilation. */
  group?: (id: string) => GroupDefinition | undefined;
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

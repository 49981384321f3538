import { EXPOSURE } from "@assay/analysis";
import type { HoldoutDefinition } from "@assay/core";
import type { Store } from "@assay/store";
import type { Runtime } from "../ground/runtime.ts";
import { readAssignment } from "./assignment.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { RecentAssignments } from "./recent-assignments.ts";
import { submissionOf } from "./submission.ts";

/**
 * Records which users request an arm while a holdout is active, held out or not. The effect of the holdout is measured
 * on them.
 */
export interface HoldoutExposures {
  /** Resolves when the user is recorded, once for each holdout. */
  note(userId: string): Promise<void>;
}

/** Creates the records in the journal. Without an active holdout, nothing is recorded. */
export function createHoldoutExposures(
  store: Store,
  runtime: Runtime,
  commit: GroupCommit,
  recent: RecentAssignments,
  holdout: () => HoldoutDefinition | null,
): HoldoutExposures {
  return {
    async note(userId) {
      const active = holdout();
      const at = runtime.now();
      if (active === null || recent.has(userId, active.id, at)) return;
      if ((await readAssignment(store, userId, active.id)) === null) {
        const event = { type: EXPOSURE, userId, time: at, experimentId: active.id, variantKey: null, flagKey: null };
        const seen = { user_id: userId, experiment_id: active.id, variant_key: "", forced: false, at };
        const nothing = { value: null, forced: false, metadata: null };
        const exposure = { ...event, ...nothing, id: runtime.id(), claimed: false, assignment: seen };
        await commit.submit(submissionOf({ at, events: [exposure] }));
      }
      recent.add(userId, active.id);
    },
  };
}

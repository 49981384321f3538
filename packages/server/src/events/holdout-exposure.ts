import { EXPOSURE } from "@assay/analysis";
import type { HoldoutDefinition } from "@assay/core";
import type { Store } from "@assay/store";
import type { Runtime } from "../ground/runtime.ts";
import { assignmentEntry, readAssignment } from "./assignment.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { RecentAssignments } from "./recent-assignments.ts";

/** Notes who asks for an arm while a holdout is active, held out or not: those are whom its effect is measured on. */
export interface HoldoutExposures {
  /** Resolves once it is stored that the user was there; once for each holdout. */
  note(userId: string): Promise<void>;
}

/** Creates the notes over the journal; with no active holdout nothing is noted. */
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
      if (active === null || recent.has(userId, active.id)) return;
      if ((await readAssignment(store, userId, active.id)) === null) {
        const at = runtime.now();
        const event = { type: EXPOSURE, userId, time: at, experimentId: active.id, variantKey: null, flagKey: null };
        const seen = { user_id: userId, experiment_id: active.id, variant_key: "", forced: false, at };
        await commit.submit({
          at,
          events: [
            {
              ...event,
              id: runtime.id(),
              claimed: false,
              value: null,
              forced: false,
              metadata: null,
              assignment: assignmentEntry(seen),
            },
          ],
        });
      }
      recent.add(userId, active.id);
    },
  };
}

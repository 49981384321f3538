import type { BulkToggle, BulkToggleResult } from "@assay/contract";
import { isApiError } from "../../ground/errors.ts";
import { createSlices } from "../../ground/slices.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { Change } from "../../storage/change.ts";
import type { FeatureFlagService } from "./service.ts";

const STATUS_OF = { ENABLE: "ACTIVE", DISABLE: "INACTIVE", ARCHIVE: "ARCHIVED" } as const;

/**
 * Enables, disables or archives flags, each with the rules of a single change and its own audit entry. A refused flag
 * does not affect the others. Changes and reports a flag once, even if the request names it twice.
 */
export async function toggleAll(
  featureFlags: Pick<FeatureFlagService, "find" | "update">,
  { flag_ids, action, reason }: BulkToggle,
  change: (action: string) => Change,
): Promise<BulkToggleResult> {
  const by = change(`feature_flag.${action.toLowerCase()}`);
  const wanted = new Map(flag_ids.map((idOrKey) => [featureFlags.find(idOrKey)?.id ?? idOrKey, idOrKey]));
  const results: BulkToggleResult["results"] = [];
  const slices = createSlices();
  for (const idOrKey of wanted.values()) {
    if (slices.isOver()) await slices.next();
    const flag = featureFlags.find(idOrKey);
    results.push(
      await featureFlags.update(idOrKey, { status: STATUS_OF[action], reason }, by).then(
        (after) => ({
          ...subjectOf(after),
          success: true,
          error: null,
          old_status: flag!.status,
          new_status: after.status,
        }),
        (error: unknown) => ({ ...refusalOf(error, idOrKey, flag), success: false }),
      ),
    );
  }
  const succeeded = results.filter(({ success }) => success).length;
  return { total: results.length, succeeded, failed: results.length - succeeded, results };
}

/** Returns the result of a refused flag. @throws the error if it is not a refusal */
function refusalOf(error: unknown, idOrKey: string, flag: FlagRecord | undefined) {
  if (!isApiError(error)) throw error;
  const subject = flag ? subjectOf(flag) : { flag_id: idOrKey, flag_key: null };
  return { ...subject, error: error.message, old_status: flag?.status ?? null, new_status: flag?.status ?? null };
}

function subjectOf({ id, key }: FlagRecord) {
  return { flag_id: id, flag_key: key };
}

import * as z from "zod";
import { IdOrKey, Text, upper } from "../../shared/fields.ts";
import { FLAG_STATUSES } from "./flag.ts";

export const BulkToggle = z
  .object({
    flag_ids: z.array(IdOrKey).min(1).max(100).meta({ description: "Ids or keys of flags; duplicates count once" }),
    action: upper(["ENABLE", "DISABLE", "ARCHIVE"]),
    reason: Text.optional(),
  })
  .meta({ id: "BulkToggle" });
export type BulkToggle = z.infer<typeof BulkToggle>;

export const BulkToggleResult = z
  .object({
    total: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    results: z.array(
      z.object({
        flag_id: z
          .string()
          .meta({ description: "Id of the flag, or the requested id or key if the flag does not exist" }),
        flag_key: z.string().nullable(),
        success: z.boolean(),
        error: z.string().nullable(),
        old_status: z.enum(FLAG_STATUSES).nullable(),
        new_status: z.enum(FLAG_STATUSES).nullable(),
      }),
    ),
  })
  .meta({ id: "BulkToggleResult" });
export type BulkToggleResult = z.infer<typeof BulkToggleResult>;

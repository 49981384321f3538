import type { JsonValue } from "@assay/core";
import { createValidator, createWork } from "@assay/core/schema";
import { requireSound } from "../../definitions/problems.ts";
import { invalid } from "../../ground/errors.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";

/** Requires that the values of a flag match its schema, if it has one. @throws ApiError 422 */
export function requireMatchingValues(
  flag: Pick<FlagRecord, "value_schema" | "value_type" | "default_value" | "variants">,
): void {
  // Flags of earlier versions have none.
  if (!flag.value_schema) return;
  if (flag.value_type !== "OBJECT") throw invalid(["body", "value_schema"], "Only for flags of type OBJECT");
  const validate = createValidator(flag.value_schema);
  const work = createWork();
  const problemsAt = (path: (string | number)[], value: JsonValue) =>
    validate(value, work).map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
  requireSound([
    ...flag.variants.flatMap(({ value }, index) => problemsAt(["variants", index, "value"], value)),
    // Without a default value, the flag serves that of the caller.
    ...(flag.default_value === null ? [] : problemsAt(["default_value"], flag.default_value)),
  ]);
}

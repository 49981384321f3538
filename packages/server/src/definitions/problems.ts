import type { Problem } from "@assay/core/server";
import { ApiError } from "../errors.ts";

/** @throws ApiError 422 with everything in a body that no evaluator would understand */
export function requireSound(problems: Problem[]): void {
  if (problems.length === 0) return;
  throw new ApiError(
    422,
    problems.slice(0, 100).map(({ path, message }) => ({ loc: ["body", ...path], msg: message, type: "value_error" })),
  );
}

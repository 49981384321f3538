import type { Problem } from "@assay/core/server";
import { ApiError } from "../ground/errors.ts";

/** @throws ApiError 422 listing every problem an evaluator would reject */
export function requireSound(problems: Problem[]): void {
  if (problems.length === 0) return;
  throw new ApiError(
    422,
    problems.slice(0, 100).map(({ path, message }) => ({ loc: ["body", ...path], msg: message, type: "value_error" })),
  );
}

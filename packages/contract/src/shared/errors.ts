import * as z from "zod";

/** One validation error: location, message and code. */
export const ValidationIssue = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])).meta({ description: 'Starts with "body", "query" or "path"' }),
    msg: z.string(),
    type: z.string(),
  })
  .meta({ id: "ValidationIssue" });
export type ValidationIssue = z.infer<typeof ValidationIssue>;

/** The body of every error response: `detail` is a text or, for a 422, a list of validation errors. */
export const ErrorBody = z
  .object({ detail: z.union([z.string(), z.array(ValidationIssue)]) })
  .meta({ id: "ErrorBody" });
export type ErrorBody = z.infer<typeof ErrorBody>;

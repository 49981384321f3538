import * as z from "zod";

/** One thing wrong with a request: where, in words, and as a code. */
export const ValidationIssue = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])).meta({ description: 'Starts with "body", "query" or "path"' }),
    msg: z.string(),
    type: z.string(),
  })
  .meta({ id: "ValidationIssue" });
export type ValidationIssue = z.infer<typeof ValidationIssue>;

/** The body of every error: a text, or for 422 the list of what is wrong. */
export const ErrorBody = z
  .object({ detail: z.union([z.string(), z.array(ValidationIssue)]) })
  .meta({ id: "ErrorBody" });
export type ErrorBody = z.infer<typeof ErrorBody>;

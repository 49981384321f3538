import type { ValidationIssue } from "@assay/contract";
import type * as z from "zod";
import { ApiError } from "./errors.ts";

type Place = "body" | "query" | "path";

/** Runs one part of a request through its schema. @throws ApiError 422 with every issue */
export function validate<T extends z.ZodType>(schema: T, value: unknown, place: Place): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw new ApiError(422, toIssues(result.error, [place]));
}

/** Zod's issues in the API's shape. */
export function toIssues(error: z.ZodError, prefix: (string | number)[]): ValidationIssue[] {
  return error.issues.flatMap((issue) => flatten(issue, prefix)).slice(0, 100);
}

function flatten(issue: z.core.$ZodIssue, prefix: (string | number)[]): ValidationIssue[] {
  const loc = [...prefix, ...issue.path.map((part) => (typeof part === "number" ? part : String(part)))];
  if (issue.code === "invalid_union") {
    const branch = closest(issue.errors);
    if (branch) return branch.flatMap((inner) => flatten(inner, loc));
  }
  if (issue.code === "unrecognized_keys") {
    const lines = issue.message.split("\n");
    return issue.keys.map((key, index) => ({
      loc: [...loc, key],
      msg: lines[index] ?? lines[0]!,
      type: "unknown_key",
    }));
  }
  const missing = (issue.code === "invalid_type" || issue.code === "invalid_value") && issue.input === undefined;
  return [{ loc, msg: missing ? "Field required" : issue.message, type: missing ? "missing" : issue.code }];
}

/**
 * Of the alternatives of a union, the one the value came nearest to: it knows the most of its keys, then got deepest, then
 * with the fewest issues.
 */
function closest(branches: z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const depth = (issues: z.core.$ZodIssue[]) => Math.max(...issues.map((issue) => issue.path.length));
  const unknown = (issues: z.core.$ZodIssue[]) =>
    issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 0), 0);
  return [...branches].sort((a, b) => unknown(a) - unknown(b) || depth(b) - depth(a) || a.length - b.length)[0];
}

/** Paths of body fields that no schema knows, which are ignored but named to the sender. */
export function ignoredFields(schema: z.core.$ZodType, value: unknown, path = ""): string[] {
  const def = schema._zod.def as z.core.$ZodTypeDef & Partial<Inner>;
  if (value === null || typeof value !== "object") return [];
  switch (def.type) {
    case "object": {
      const shape = def.shape ?? {};
      return Object.entries(value).flatMap(([key, inner]) => {
        const known = Object.hasOwn(shape, key) ? shape[key] : undefined;
        if (known) return ignoredFields(known, inner, `${path}${key}.`);
        return def.catchall ? [] : [path + key];
      });
    }
    case "array":
      return Array.isArray(value) && def.element
        ? value.slice(0, 100).flatMap((inner, index) => ignoredFields(def.element!, inner, `${path}${index}.`))
        : [];
    case "optional":
    case "nullable":
    case "default":
      return def.innerType ? ignoredFields(def.innerType, value, path) : [];
    case "pipe":
      return def.in ? ignoredFields(def.in, value, path) : [];
    default:
      return [];
  }
}

interface Inner {
  shape: Record<string, z.core.$ZodType>;
  catchall: z.core.$ZodType;
  element: z.core.$ZodType;
  innerType: z.core.$ZodType;
  in: z.core.$ZodType;
}

import type { ValidationIssue } from "@assay/contract";
import * as z from "zod";
import { ApiError } from "../ground/errors.ts";
import { excessOf } from "./bounds.ts";

type Place = "body" | "query" | "path";

/** Maximum number of issues in a response. More do not help, and each costs time. */
const MAX_ISSUES = 100;

/** Validates one part of a request. @throws ApiError 422 with the first issues */
export function validate<T extends z.ZodType>(schema: T, value: unknown, place: Place): z.output<T> {
  const checked = check(schema, value, [place]);
  if (checked.issues) throw new ApiError(422, checked.issues);
  return checked.data;
}

/** The parsed value, or its issues. */
export type Checked<T> = { data: T; issues?: undefined } | { issues: ValidationIssue[] };

/**
 * Validates a value in bounded time, also for hostile input: rejects too long lists before parsing, and formats only
 * the issues it returns.
 *
 * @param prefix start of the path of each issue
 */
export function check<T extends z.ZodType>(
  schema: T,
  value: unknown,
  prefix: (string | number)[],
): Checked<z.output<T>> {
  const context = { async: false, reportInput: true };
  const excess = excessOf(schema, value);
  // Like `safeParse`, which formats every issue.
  const parsed = excess ? { issues: [excess] } : (schema._zod.run({ value, issues: [] }, context) as Payload<T>);
  if (!("value" in parsed) || parsed.issues.length > 0) return { issues: toIssues(parsed.issues, prefix, context) };
  return { data: parsed.value };
}

type Payload<T extends z.ZodType> = z.core.ParsePayload<z.output<T>>;

/** Converts Zod issues to the format of the API. */
function toIssues(
  raw: z.core.$ZodRawIssue[],
  prefix: (string | number)[],
  context: z.core.ParseContextInternal,
): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  for (const one of raw) {
    issues.push(...flatten(z.core.util.finalizeIssue(one, context, z.core.config()), prefix));
    if (issues.length >= MAX_ISSUES) break;
  }
  return issues.slice(0, MAX_ISSUES);
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
 * Returns the union branch closest to the value: it knows the most keys, then parses deepest, then has the fewest
 * issues.
 */
function closest(branches: z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const depth = (issues: z.core.$ZodIssue[]) => issues.reduce((most, { path }) => Math.max(most, path.length), 0);
  const unknown = (issues: z.core.$ZodIssue[]) =>
    issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 0), 0);
  return [...branches].sort((a, b) => unknown(a) - unknown(b) || depth(b) - depth(a) || a.length - b.length)[0];
}

/** Maximum number of ignored fields listed. */
const MAX_IGNORED = 100;

/** A body field that is not in the schema. */
export interface IgnoredField {
  /** Names from the body inwards, with dots: `variants.0.colour`. */
  path: string;
  /** The name of the field, and the valid names in its object. */
  name: string;
  known: readonly string[];
}

/** Returns the body fields that are not in the schema. The server ignores them, but reports them to the client. */
export function ignoredFields(schema: z.core.$ZodType, value: unknown): IgnoredField[] {
  const found: IgnoredField[] = [];
  collectIgnored(found, schema, value, "");
  return found;
}

function collectIgnored(found: IgnoredField[], schema: z.core.$ZodType, value: unknown, path: string): void {
  const def = schema._zod.def as z.core.$ZodTypeDef & Partial<Inner>;
  if (value === null || typeof value !== "object") return;
  switch (def.type) {
    case "object": {
      const { shape = {}, catchall } = def;
      for (const key of Object.keys(value)) {
        if (found.length === MAX_IGNORED) return;
        const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
        if (field) collectIgnored(found, field, (value as Record<string, unknown>)[key], `${path}${key}.`);
        else if (!catchall) found.push({ path: path + key, name: key, known: Object.keys(shape) });
      }
      return;
    }
    case "array":
      if (!Array.isArray(value) || !def.element) return;
      for (const [index, inner] of value.slice(0, 100).entries()) {
        collectIgnored(found, def.element, inner, `${path}${index}.`);
      }
      return;
    case "optional":
    case "nullable":
    case "default":
      if (def.innerType) collectIgnored(found, def.innerType, value, path);
      return;
    case "pipe":
      if (def.in) collectIgnored(found, def.in, value, path);
      return;
  }
}

interface Inner {
  shape: Record<string, z.core.$ZodType>;
  catchall: z.core.$ZodType;
  element: z.core.$ZodType;
  innerType: z.core.$ZodType;
  in: z.core.$ZodType;
}

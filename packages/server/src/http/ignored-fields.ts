import { misspeltName, type Route } from "@assay/contract";
import * as z from "zod";
import { ApiError } from "../ground/errors.ts";
import type { IgnoredField } from "./validate.ts";

/** Clients and proxies accept about 8 to 16 kB of headers in total. */
const MAX_HEADER_LENGTH = 2_000;
const MAX_NAME_LENGTH = 100;
const MAX_NAMES = 50;
/** Marks a truncated name or list. */
const CUT = "…";
/** Maximum number of fields that are compared with the known names. */
const MAX_COMPARED = 20;

/**
 * Names the ignored fields in `X-Assay-Ignored-Fields`.
 * @throws ApiError 422 if the request prefers `handling=strict`, or if the route rejects misspelt names and a field has
 * one
 */
export function nameIgnored(
  fields: readonly IgnoredField[],
  route: Pick<Route, "refusesMisspelt" | "response">,
  request: Request,
  headers: Record<string, string>,
): void {
  if (fields.length === 0) return;
  if (route.refusesMisspelt) requireNoMisspelt(fields, route.response);
  if (/\bhandling=strict\b/i.test(request.headers.get("prefer") ?? "")) {
    throw new ApiError(
      422,
      fields.map((field) => ({ ...toIssue(field), msg: "Unknown field" })),
    );
  }
  headers["X-Assay-Ignored-Fields"] = toIgnoredFieldsHeader(fields.map(({ path }) => path));
}

/** Ignores the fields of an answer, which clients may write back. @throws ApiError 422 for a misspelt name */
function requireNoMisspelt(fields: readonly IgnoredField[], answer: z.ZodType | undefined): void {
  const answered = answer instanceof z.ZodObject ? answer.shape : {};
  const issues = fields.slice(0, MAX_COMPARED).flatMap((field) => {
    const meant = Object.hasOwn(answered, field.path) ? undefined : misspeltName(field.name, field.known);
    return meant === undefined ? [] : [{ ...toIssue(field), msg: `Unknown field; did you mean "${meant}"?` }];
  });
  if (issues.length > 0) throw new ApiError(422, issues);
}

function toIssue({ path }: IgnoredField) {
  return { loc: ["body", ...path.split(".")], type: "unknown_key" };
}

/**
 * Returns the value of `X-Assay-Ignored-Fields`: percent-encoded names, separated by commas. Names come from the body,
 * so their length and number are bounded. A `…` marks a truncated name or list.
 */
function toIgnoredFieldsHeader(fields: readonly string[]): string {
  const end = encodeURIComponent(CUT);
  const names: string[] = [];
  let length = end.length;
  for (const field of fields.slice(0, MAX_NAMES)) {
    const name = encodeURIComponent(shortened(field));
    length += name.length + 1;
    if (length > MAX_HEADER_LENGTH) break;
    names.push(name);
  }
  return [...names, ...(names.length < fields.length ? [end] : [])].join(",");
}

/** Never splits a surrogate pair, because half a pair cannot be encoded. */
function shortened(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : name.slice(0, MAX_NAME_LENGTH).replace(/[\ud800-\udbff]$/, "") + CUT;
}

import { isAssayError } from "@assay/client";
import { describeError } from "../../parts/states.tsx";

/** What the server refuses, by the path of its field, such as `metrics.0.name`. */
export type Issues = ReadonlyMap<string, string>;

/** The issues of an error. A key that another experiment has is a conflict, which names no field. */
export function toIssues(error: unknown): Issues {
  if (!isAssayError(error)) return new Map();
  if (error.status === 409) return new Map([["key", error.detail]]);
  return new Map(
    error.issues.map(({ loc, msg }) => [loc.filter((part) => part !== "body" && part !== "query").join("."), msg]),
  );
}

/** What no field of the form shows, as one text; undefined if there is none. */
export function otherIssues(error: unknown, issues: Issues, isShown: (path: string) => boolean): string | undefined {
  if (!error) return undefined;
  if (issues.size === 0) return describeError(error).detail;
  const rest = [...issues].filter(([path]) => !isShown(path));
  return rest.length === 0 ? undefined : rest.map(([path, message]) => `${path}: ${message}`).join(". ");
}

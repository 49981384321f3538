import type { Fields, Kind } from "@assay/client/definitions";
import { ExperimentCreate, FeatureFlagCreate, misspeltName, SegmentCreate } from "@assay/contract";
import * as z from "zod";
import { FILE_FIELDS } from "./fields.ts";

/** What a file of each kind contains: the fields of the API, all others refused. */
export const SHAPES: Record<Kind, z.ZodObject> = {
  segment: shapeOf(SegmentCreate.shape, "segment"),
  flag: shapeOf(FeatureFlagCreate.shape, "flag"),
  experiment: shapeOf({ ...ExperimentCreate.shape, key: FeatureFlagCreate.shape.key }, "experiment"),
};

/** A problem of a value, with its path. */
export interface Fault {
  path: (string | number)[];
  message: string;
}

/** Reads the value of a file as the API reads a body. */
export function readShape(kind: Kind, value: unknown): { fields: Fields } | { faults: Fault[] } {
  const { success, data, error } = SHAPES[kind].safeParse(value, { reportInput: true });
  if (success) return { fields: data };
  return { faults: error.issues.flatMap((issue) => toFaults(issue, FILE_FIELDS[kind])) };
}

function shapeOf(fields: z.core.$ZodLooseShape, kind: Kind): z.ZodObject {
  return z.strictObject(Object.fromEntries(FILE_FIELDS[kind].map((name) => [name, fields[name]!])));
}

function toFaults(issue: z.core.$ZodIssue, known: readonly string[]): Fault[] {
  const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
  if (issue.code === "unrecognized_keys") {
    const lines = issue.message.split("\n");
    return issue.keys.map((key, index) => ({
      path: [...path, key],
      message: path.length > 0 ? (lines[index] ?? lines[0]!) : describeUnknown(key, known),
    }));
  }
  const isMissing = (issue.code === "invalid_type" || issue.code === "invalid_value") && issue.input === undefined;
  return [{ path, message: isMissing ? "Field required" : issue.message }];
}

function describeUnknown(key: string, known: readonly string[]): string {
  const meant = misspeltName(key, known);
  return `Unknown field${meant ? `; did you mean "${meant}"?` : ""}`;
}

import type * as z from "zod";
import { failure } from "../../failure.ts";
import type { Skipped } from "./migration.ts";
import { NoCounterpart, noCounterpart } from "./no-counterpart.ts";

/** Reads a whole payload. @param what it should be, for the error. @throws {CommandFailure} */
export function readPayload<T extends z.ZodType>(schema: T, payload: unknown, what: string): z.output<T> {
  const { success, data, error } = schema.safeParse(payload);
  if (success) return data;
  throw failure(`This is not ${what}: ${describe(error)}`);
}

/** Reads a part of a payload. @throws {NoCounterpart} naming the first part that has another shape */
export function readPart<T extends z.ZodType>(schema: T, part: unknown): z.output<T> {
  const { success, data, error } = schema.safeParse(part);
  return success ? data : noCounterpart(describe(error));
}

/** Reads each part of a list, and collects those that have no counterpart. */
export function readEach<T, R>(
  parts: readonly T[],
  kind: Skipped["kind"],
  keyOf: (part: T) => string,
  read: (part: T) => R,
  skipped: Skipped[],
): R[] {
  return parts.flatMap((part) => {
    try {
      return [read(part)];
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error;
      skipped.push({ kind, key: keyOf(part), reason: error.message });
      return [];
    }
  });
}

function describe(error: z.ZodError): string {
  const { path, message } = error.issues[0]!;
  return path.length > 0 ? `${path.join(".")}: ${message}` : message;
}

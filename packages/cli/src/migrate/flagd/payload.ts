import * as z from "zod";
import { failure } from "../../failure.ts";
import type { ReadOptions } from "../mapping/migration.ts";
import { readPayload } from "../mapping/shape.ts";

/** A flag: https://flagd.dev/reference/flag-definitions/ */
export const Flag = z.strictObject({
  state: z.enum(["ENABLED", "DISABLED"]),
  variants: z.record(z.string(), z.unknown()),
  defaultVariant: z.string().nullish(),
  targeting: z.unknown().optional(),
  metadata: z.unknown().optional(),
  $schema: z.unknown().optional(),
});

/** A file of flags. Newer ones may list flags, each with its key. */
const FlagSet = z.looseObject({
  flags: z.union([z.record(z.string(), z.unknown()), z.array(z.looseObject({ key: z.string() }))]),
  $evaluators: z.record(z.string(), z.unknown()).optional(),
});

/** The flags of all files, unchecked, and the conditions that they share by name. */
export interface Source {
  flags: { key: string; flag: unknown }[];
  evaluators: Map<string, unknown>;
}

/** Reads files of flags. @throws {CommandFailure} */
export function readSource(payloads: readonly unknown[], { environment }: ReadOptions): Source {
  if (environment !== undefined)
    throw failure("A file of flagd has one environment, which it does not name; leave out --environment");
  const source: Source = { flags: [], evaluators: new Map() };
  for (const payload of payloads) {
    const { flags, $evaluators } = readPayload(FlagSet, payload, "a file of flags of flagd");
    if (Array.isArray(flags)) source.flags.push(...flags.map(({ key, ...flag }) => ({ key, flag })));
    else source.flags.push(...Object.entries(flags).map(([key, flag]) => ({ key, flag })));
    for (const [name, evaluator] of Object.entries($evaluators ?? {})) source.evaluators.set(name, evaluator);
  }
  return source;
}

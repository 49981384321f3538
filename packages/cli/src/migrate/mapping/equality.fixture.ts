import { bucket, createEngine, type EvaluationContext, type EvaluationResult } from "@assay/core";
import { complete } from "./complete.ts";
import type { MigratedFlag, Migration, Read, ReadOptions } from "./migration.ts";

/** A completed migration, with an engine that evaluates it. */
export interface Migrated extends Migration {
  flag(key: string): MigratedFlag;
  /** Returns the reason why something is not migrated. */
  reason(key: string): string | undefined;
  evaluate(key: string, context: EvaluationContext, now?: number): EvaluationResult;
}

/** Reads payloads as the command does, and evaluates what they become. */
export function migrated(read: Read, payloads: unknown | unknown[], options: ReadOptions = {}): Migrated {
  const migration = complete(read([payloads].flat(), options));
  const engine = createEngine({
    schema_version: 1,
    flags: migration.flags.map(({ body }) => ({ ...body, enabled: body.status === "ACTIVE" })),
    segments: migration.segments.map((body) => ({
      id: body.name,
      name: body.name,
      user_ids: body.user_ids,
      when: body.conditions,
    })),
    groups: [],
    holdout: null,
    experiments: [],
  });
  return {
    ...migration,
    flag(key) {
      const found = migration.flags.find(({ body }) => body.key === key);
      if (found) return found;
      throw new Error(`${key} is not migrated: ${migration.skipped.find((one) => one.key === key)?.reason}`);
    },
    reason: (key) => migration.skipped.find((one) => one.key === key)?.reason,
    evaluate: (key, context, now) =>
      engine.evaluate(key, context, "the caller's default", now === undefined ? {} : { now }),
  };
}

/** Returns ids that Assay draws all over [0, 1). */
export function idsOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `id-${bucket(String(index), "ids")}`);
}

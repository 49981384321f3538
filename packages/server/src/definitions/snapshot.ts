import {
  type Definitions,
  type Engine,
  type ExperimentDefinition,
  type FlagDefinition,
  SCHEMA_VERSION,
} from "@assay/core";
import type { ExperimentRecord } from "../areas/experiments/record.ts";
import type { FlagRecord } from "../areas/feature-flags/record.ts";
import { ApiError } from "../http/errors.ts";
import type { Collection } from "../storage/collection.ts";
import { toExperimentDefinition, toFlagDefinition } from "./definition.ts";

/** The most bytes of JSON that all definitions together may take. */
export const MAX_DEFINITION_BYTES = 10 * 1024 * 1024;

/** Keeps the engine's definitions equal to what is stored; evaluation reads the engine and never the store. */
export interface Snapshot {
  /** @throws ApiError 413 where this definition would push all of them past 10 MB */
  requireRoom(key: string, definition: FlagDefinition | ExperimentDefinition): void;
  /** Installs everything as it is now; called once after loading, and then by itself on every change. */
  refresh(): void;
}

/** Creates the snapshot. @param flagSetId names the environment, for telemetry */
export function createSnapshot(
  engine: Engine,
  flags: Collection<FlagRecord>,
  experiments: Collection<ExperimentRecord>,
  flagSetId: string,
): Snapshot {
  const flagDefinitions = new Map<string, FlagDefinition>();
  const experimentDefinitions = new Map<string, ExperimentDefinition>();
  const sizes = new Map<string, number>();
  let total = 0;
  let isOpen = false;

  function setSize(key: string, definition: object | null): void {
    total -= sizes.get(key) ?? 0;
    sizes.delete(key);
    if (!definition) return;
    sizes.set(key, JSON.stringify(definition).length);
    total += sizes.get(key)!;
  }

  function takeFlag(id: string, flag: FlagRecord | null): void {
    // An archived flag evaluates as missing.
    const definition = flag && flag.status !== "ARCHIVED" ? toFlagDefinition(flag) : null;
    if (definition) flagDefinitions.set(id, definition);
    else flagDefinitions.delete(id);
    setSize(`flag ${id}`, definition);
  }

  function takeExperiment(id: string, experiment: ExperimentRecord | null): void {
    const isOut = !experiment || experiment.status === "DRAFT" || experiment.status === "ARCHIVED";
    const definition = isOut ? null : toExperimentDefinition(experiment);
    if (definition) experimentDefinitions.set(id, definition);
    else experimentDefinitions.delete(id);
    setSize(`experiment ${id}`, definition);
  }

  function install(): void {
    if (!isOpen) return;
    const definitions = toDefinitions([...flagDefinitions.values()], [...experimentDefinitions.values()]);
    engine.update({ ...definitions, flag_set_id: flagSetId });
  }

  flags.onChange(({ id, after }) => {
    takeFlag(id, after);
    install();
  });
  experiments.onChange(({ id, after }) => {
    takeExperiment(id, after);
    install();
  });

  return {
    requireRoom(key, definition) {
      const size = total - (sizes.get(key) ?? 0) + JSON.stringify(definition).length;
      if (size > MAX_DEFINITION_BYTES) {
        throw new ApiError(413, `All definitions together would take ${size} bytes, more than ${MAX_DEFINITION_BYTES}`);
      }
    },
    refresh() {
      isOpen = true;
      install();
    },
  };
}

export function toDefinitions(flags: FlagDefinition[], experiments: ExperimentDefinition[]): Definitions {
  return { schema_version: SCHEMA_VERSION, flags, segments: [], groups: [], holdout: null, experiments };
}

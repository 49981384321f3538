import { type CompiledExperiment, compileExperimentFor } from "../assignment/experiment.ts";
import { type Participation, toParticipation } from "../assignment/participation.ts";
import { isSame } from "../targeting/equality.ts";
import { isString } from "../targeting/problem.ts";
import { type CompiledSegment, compileSegment } from "../targeting/segment.ts";
import { type Definitions, type ExperimentDefinition, SCHEMA_VERSION } from "./definition.ts";
import type { Environment } from "./environment.ts";
import { type CompiledFlag, compileFlagFor } from "./flag.ts";

/** A compiled flag or experiment and what the holdout and groups meant for it. */
interface Entry<T> {
  compiled: T;
  participation: Participation | null;
}

/** One set of definitions, compiled; never changed once it is made. */
export interface Snapshot {
  definitions: Definitions;
  /** By id and by name; ids win. */
  segments: ReadonlyMap<string, CompiledSegment>;
  flags: ReadonlyMap<string, Entry<CompiledFlag>>;
  experiments: ReadonlyMap<string, Entry<CompiledExperiment>>;
}

/** A snapshot of nothing. */
export function emptySnapshot(): Snapshot {
  const definitions = {
    schema_version: SCHEMA_VERSION,
    flags: [],
    segments: [],
    groups: [],
    holdout: null,
    experiments: [],
  };
  return { definitions, segments: new Map(), flags: new Map(), experiments: new Map() };
}

/** Compiles definitions, carrying over from the previous snapshot whatever is the same. */
export function compileSnapshot(definitions: Definitions, previous: Snapshot, environment: Environment): Snapshot {
  const { holdout } = definitions;
  const groups = new Map(records(definitions.groups).map((group) => [group.id, group]));
  const group = (id: string) => groups.get(id);

  const segments = new Map<string, CompiledSegment>();
  for (const definition of records(definitions.segments)) {
    const known = previous.segments.get(definition.id);
    const compiled = known && isSame(known.definition, definition) ? known : compileSegment(definition, environment);
    segments.set(definition.id, compiled);
  }
  for (const segment of [...segments.values()]) {
    if (!segments.has(segment.definition.name)) segments.set(segment.definition.name, segment);
  }

  const running = new Map<string, ExperimentDefinition>();
  const experiments = new Map<string, Entry<CompiledExperiment>>();
  for (const definition of records(definitions.experiments)) {
    if (!isString(definition.key)) continue;
    if (definition.status === "ACTIVE" && isString(definition.feature_flag_key))
      running.set(definition.feature_flag_key, definition);
    const participation = toParticipation(definition, holdout, group);
    experiments.set(
      definition.key,
      reuse(previous.experiments.get(definition.key), definition, participation) ?? {
        compiled: compileExperimentFor(definition, environment, participation),
        participation,
      },
    );
  }

  const flags = new Map<string, Entry<CompiledFlag>>();
  for (const definition of records(definitions.flags)) {
    if (!isString(definition.key)) continue;
    const participation = toParticipation(running.get(definition.key), holdout, group);
    flags.set(
      definition.key,
      reuse(previous.flags.get(definition.key), definition, participation) ?? {
        compiled: compileFlagFor(definition, environment, participation),
        participation,
      },
    );
  }
  return { definitions, segments, flags, experiments };
}

/** The keys of which the definition, the participation or something referred to is not the same in both. */
export function diffSnapshots(before: Snapshot, after: Snapshot): { flags: string[]; experiments: string[] } {
  const segments = changedKeys(before.segments, after.segments);
  spread(segments, after.segments, (segment) => segment.references);

  const flags = changedKeys(before.flags, after.flags);
  for (const [key, { compiled }] of after.flags) {
    if (compiled.references.some((reference) => segments.has(reference))) flags.add(key);
  }
  spread(flags, after.flags, ({ compiled }) => compiled.prerequisites);

  const experiments = changedKeys(before.experiments, after.experiments);
  for (const [key, { compiled }] of after.experiments) {
    const { definition, references } = compiled;
    // One that does not run answers NOT_RUNNING whatever it refers to.
    if (definition.status !== "ACTIVE") continue;
    if (references.some((reference) => segments.has(reference)) || flags.has(definition.feature_flag_key ?? "")) {
      experiments.add(key);
    }
  }
  return { flags: [...flags].sort(), experiments: [...experiments].sort() };
}

/** Definitions come over the wire: what is no list of objects counts as none. */
function records<T extends object>(list: readonly T[] | undefined): T[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "object" && item !== null) : [];
}

function reuse<T extends { definition: unknown }>(
  entry: Entry<T> | undefined,
  definition: unknown,
  participation: Participation | null,
): Entry<T> | null {
  if (entry === undefined || !isSame(entry.participation, participation)) return null;
  return isSame(entry.compiled.definition, definition) ? entry : null;
}

/** Entries are carried over where they are the same, so identity tells what changed, came or went. */
function changedKeys(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): Set<string> {
  const changed = new Set<string>();
  for (const key of before.keys()) if (before.get(key) !== after.get(key)) changed.add(key);
  for (const key of after.keys()) if (before.get(key) !== after.get(key)) changed.add(key);
  return changed;
}

/** Adds, until none is left, the keys that refer to a changed one. */
function spread<T>(
  changed: Set<string>,
  all: ReadonlyMap<string, T>,
  references: (item: T) => readonly string[],
): void {
  const dependents = new Map<string, string[]>();
  for (const [key, item] of all) {
    for (const reference of references(item)) dependents.set(reference, [...(dependents.get(reference) ?? []), key]);
  }
  const pending = [...changed];
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    for (const dependent of dependents.get(key) ?? []) {
      if (changed.has(dependent)) continue;
      changed.add(dependent);
      pending.push(dependent);
    }
  }
}

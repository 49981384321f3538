import type { CompiledExperiment, compileExperimentFor } from "../assignment/experiment.ts";
import { type Participation, toParticipation } from "../assignment/participation.ts";
import { isSame } from "../targeting/equality.ts";
import { type CompiledSegment, compileSegment } from "../targeting/segment.ts";
import type { Definitions, ExperimentDefinition } from "./definition.ts";
import type { Environment } from "./environment.ts";
import type { CompiledFlag, compileFlagFor } from "./flag.ts";

/** Something compiled, and what the holdout and groups meant for it. */
interface Entry<T> {
  compiled: T;
  participation: Participation | null;
}

/** One set of definitions, compiled; never changed once it is made. */
export interface Snapshot {
  definitions: Definitions;
  /** By id and by name; ids win. */
  segments: ReadonlyMap<string, Entry<CompiledSegment>>;
  flags: ReadonlyMap<string, Entry<CompiledFlag>>;
  experiments: ReadonlyMap<string, Entry<CompiledExperiment>>;
}

/** What an engine answers for; what it does not, it does not hold, and bundlers leave out. */
export interface Compilers {
  flag?: typeof compileFlagFor;
  experiment?: typeof compileExperimentFor;
}

/** Compiles definitions, carrying over from the previous snapshot whatever is the same. */
export function compileSnapshot(
  definitions: Definitions,
  previous: Snapshot | null,
  environment: Environment,
  { flag: compileFlag, experiment: compileExperiment }: Compilers,
): Snapshot {
  const groups = new Map(records(definitions.groups).map((group) => [group.id, group]));
  const running = new Map<string, ExperimentDefinition>();
  for (const experiment of records(definitions.experiments)) {
    if (experiment.status === "ACTIVE" && experiment.feature_flag_key)
      running.set(experiment.feature_flag_key, experiment);
  }
  const participationOf = (experiment: ExperimentDefinition | undefined) =>
    toParticipation(experiment, definitions.holdout, (id) => groups.get(id));

  const segments = carry(
    definitions.segments,
    "id",
    previous?.segments,
    () => null,
    (segment) => compileSegment(segment, environment),
  );
  for (const entry of [...segments.values()]) {
    const { name } = entry.compiled.definition;
    if (!segments.has(name)) segments.set(name, entry);
  }
  return {
    definitions,
    segments,
    flags: carry(
      compileFlag && definitions.flags,
      "key",
      previous?.flags,
      ({ key }) => participationOf(running.get(key)),
      (flag, participation) => compileFlag!(flag, environment, participation),
    ),
    experiments: carry(
      compileExperiment && definitions.experiments,
      "key",
      previous?.experiments,
      participationOf,
      (experiment, participation) => compileExperiment!(experiment, environment, participation),
    ),
  };
}

/** The keys whose definition, participation, or something they refer to is not the same in both. */
export function diffSnapshots(before: Snapshot, after: Snapshot): { flags: string[]; experiments: string[] } {
  const segments = changedKeys(before.segments, after.segments);
  spread(segments, after.segments, segments, ({ references }) => references);
  const flags = changedKeys(before.flags, after.flags);
  spread(flags, after.flags, segments, ({ references }) => references);
  spread(
    flags,
    after.flags,
    flags,
    ({ definition }) => definition.prerequisites?.map?.(({ flag_key }) => flag_key) ?? [],
  );
  const experiments = changedKeys(before.experiments, after.experiments);
  // One that does not run answers NOT_RUNNING whatever it refers to.
  const running = new Map([...after.experiments].filter(([, { compiled }]) => compiled.definition.status === "ACTIVE"));
  spread(experiments, running, segments, ({ references }) => references);
  spread(experiments, running, flags, ({ definition }) => [definition.feature_flag_key ?? ""]);
  return { flags: [...flags].sort(), experiments: [...experiments].sort() };
}

/** Definitions come over the wire: what is no list of objects counts as none. */
function records<T extends object>(list: readonly T[] | undefined): T[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "object" && item !== null) : [];
}

function carry<K extends string, D extends { [key in K]: string }, T extends { definition: D }>(
  definitions: readonly D[] | undefined,
  key: K,
  previous: ReadonlyMap<string, Entry<T>> | undefined,
  participationOf: (definition: D) => Participation | null,
  compile: (definition: D, participation: Participation | null) => T,
): Map<string, Entry<T>> {
  const entries = new Map<string, Entry<T>>();
  for (const definition of records(definitions)) {
    if (typeof definition[key] !== "string") continue;
    const participation = participationOf(definition);
    const known = previous?.get(definition[key]);
    const isKnown = isSame(known?.compiled.definition, definition) && isSame(known?.participation, participation);
    entries.set(
      definition[key],
      known && isKnown ? known : { compiled: compile(definition, participation), participation },
    );
  }
  return entries;
}

/** Entries are carried over where they are the same, so identity tells what changed, came or went. */
function changedKeys(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): Set<string> {
  return new Set([...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key)));
}

/** Adds the keys that refer to a changed one, until none is left. */
function spread<T>(
  affected: Set<string>,
  entries: ReadonlyMap<string, Entry<T>>,
  changed: ReadonlySet<string>,
  references: (compiled: T) => readonly string[],
): void {
  for (let size = -1; size !== affected.size; ) {
    size = affected.size;
    for (const [key, { compiled }] of entries) {
      if (references(compiled).some((reference) => changed.has(reference))) affected.add(key);
    }
  }
}

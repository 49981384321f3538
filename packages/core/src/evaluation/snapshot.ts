import type { CompiledExperiment, compileExperimentFor } from "../assignment/experiment.ts";
import { EVERYONE, type Participation, toParticipation } from "../assignment/participation.ts";
import { isSame } from "../targeting/equality.ts";
import { type CompiledSegment, compileSegment } from "../targeting/segment.ts";
import type { Definitions, ExperimentDefinition } from "./definition.ts";
import type { Environment } from "./environment.ts";
import type { CompiledFlag, compileFlagFor } from "./flag.ts";

/** One set of definitions, compiled; never changed once it is made. */
export interface Snapshot {
  definitions: Definitions;
  /** By id and by name; ids win. */
  segments: ReadonlyMap<string, CompiledSegment>;
  flags: ReadonlyMap<string, CompiledFlag>;
  experiments: ReadonlyMap<string, CompiledExperiment>;
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
  const running = records(definitions.experiments).filter(({ status }) => status === "ACTIVE");
  const runningOver = new Map(running.map((experiment) => [experiment.feature_flag_key, experiment]));
  const participationIn = (experiment: ExperimentDefinition | undefined) =>
    toParticipation(experiment, definitions.holdout, (id) => groups.get(id));

  const segments = carry(definitions.segments, "id", previous?.segments, (segment) =>
    compileSegment(segment, environment),
  );
  for (const segment of [...segments.values()]) {
    const { name } = segment.definition;
    if (!segments.has(name)) segments.set(name, segment);
  }
  return {
    definitions,
    segments,
    flags: carry(
      compileFlag && definitions.flags,
      "key",
      previous?.flags,
      (flag, participation) => compileFlag!(flag, environment, participation),
      ({ key }) => participationIn(runningOver.get(key)),
    ),
    experiments: carry(
      compileExperiment && definitions.experiments,
      "key",
      previous?.experiments,
      (experiment, participation) => compileExperiment!(experiment, environment, participation),
      participationIn,
    ),
  };
}

/** The keys whose definition, participation, or something they refer to is not the same in both. */
export function diffSnapshots(before: Snapshot, after: Snapshot): { flags: string[]; experiments: string[] } {
  const refersTo = ({ references }: { references: readonly string[] }, changed: ReadonlySet<string>) =>
    references.some((name) => changed.has(name));
  const segments = findChanged(before.segments, after.segments, refersTo);
  const flags = findChanged(
    before.flags,
    after.flags,
    (flag, changed) =>
      refersTo(flag, segments) || flag.definition.prerequisites?.some?.((required) => changed.has(required?.flag_key)),
  );
  const experiments = findChanged(
    before.experiments,
    after.experiments,
    (experiment) =>
      // One that does not run answers NOT_RUNNING whatever it refers to.
      experiment.definition.status === "ACTIVE" &&
      (refersTo(experiment, segments) || flags.has(experiment.definition.feature_flag_key ?? "")),
  );
  return { flags: [...flags].sort(), experiments: [...experiments].sort() };
}

/** Definitions come over the wire: what is no list of objects counts as none. */
function records<T extends object>(list: readonly T[] | undefined): T[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "object" && item !== null) : [];
}

function carry<
  K extends string,
  D extends { [key in K]: string },
  T extends { definition: D; participation?: Participation },
>(
  definitions: readonly D[] | undefined,
  key: K,
  previous: ReadonlyMap<string, T> | undefined,
  compile: (definition: D, participation: Participation) => T,
  participationOf: (definition: D) => Participation = () => EVERYONE,
): Map<string, T> {
  const entries = new Map<string, T>();
  for (const definition of records(definitions)) {
    if (typeof definition[key] !== "string") continue;
    const participation = participationOf(definition);
    const known = previous?.get(definition[key]);
    const isKnown = isSame(known?.definition, definition) && isSame(known?.participation ?? EVERYONE, participation);
    entries.set(definition[key], known && isKnown ? known : compile(definition, participation));
  }
  return entries;
}

/**
 * The keys of what came, went, is not the same, or refers to something that changed. What is the same is carried over,
 * so identity tells.
 */
function findChanged<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  refersTo: (compiled: T, changed: ReadonlySet<string>) => boolean | undefined,
): Set<string> {
  const changed = new Set([...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key)));
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const [key, compiled] of after) if (refersTo(compiled, changed)) changed.add(key);
  }
  return changed;
}

import type { Definitions, DefinitionsChange, Engine, Program } from "@assay/core";
import { createProgramMaker } from "@assay/core/server";
import { runInSlices } from "../slices.ts";
import { type Projection, projectDefinitions, projectParts } from "./projection.ts";
import { hashOf, versionOf } from "./version.ts";

/** What a kind of API key may know of the definitions. */
export interface View {
  /**
   * Works out what there is of each flag, experiment and segment, and keeps it, while other requests go on: the methods
   * below then only put it together. They work without, but may take long.
   *
   * @param isLowered whether a program will be asked for too
   */
  prepare(isLowered: boolean): Promise<void>;
  /** The same object until something changes. */
  definitions(): Definitions;
  /** The same, lowered; the same object until something changes. */
  program(): Program;
  /** Names them. */
  version(): string;
  /** The part of a change that concerns whoever reads them. */
  visible(change: DefinitionsChange): DefinitionsChange;
}

const maker = createProgramMaker();
const programs = new WeakMap<Definitions, Program>();

/** Definitions are replaced, never changed, so each set is lowered once. */
function programOf(definitions: Definitions): Program {
  let program = programs.get(definitions);
  if (!program) {
    program = maker.make(definitions);
    programs.set(definitions, program);
  }
  return program;
}

/** What is prepared already, without programs and with them. */
const prepared = [new WeakSet<Definitions>(), new WeakSet<Definitions>()] as const;

/** Hashes each part, so that the whole is soon named, and lowers each where there is to be a program. */
function* prepare(definitions: Definitions, isLowered: boolean): Generator<void> {
  const done = prepared[isLowered ? 1 : 0];
  if (done.has(definitions)) return;
  for (const part of partsOf(definitions)) yield void hashOf(part);
  if (isLowered) {
    yield* maker.steps(definitions);
    for (const part of partsOf(programOf(definitions))) yield void hashOf(part);
  }
  done.add(definitions);
}

function partsOf({ flags, experiments, segments }: Definitions | Program): readonly object[] {
  return [...flags, ...experiments, ...segments];
}

/** What SERVER keys may know: everything. */
export function createServerView(engine: Engine): View {
  return {
    prepare: (isLowered) => runInSlices(prepare(engine.definitions, isLowered)),
    definitions: () => engine.definitions,
    program: () => programOf(engine.definitions),
    version: () => versionOf(engine.definitions),
    visible: (change) => change,
  };
}

/** What CLIENT keys may know: the flags that are made for clients, and no other name. */
export function createClientView(engine: Engine, projection: Projection): View {
  const projections = new WeakMap<object, Definitions>();
  // What is taken away from clients changes for them once more, so names that were theirs stay theirs.
  const flags = new Set<string>();
  const experiments = new Set<string>();

  function definitions(): Definitions {
    const everything = engine.definitions;
    let projected = projections.get(everything);
    if (!projected) {
      projected = projectDefinitions(everything, projection);
      projections.set(everything, projected);
      for (const { key } of projected.flags) flags.add(key);
      for (const { key } of projected.experiments) experiments.add(key);
    }
    return projected;
  }

  function* steps(isLowered: boolean): Generator<void> {
    if (!projections.has(engine.definitions)) for (const _ of projectParts(engine.definitions, projection)) yield;
    yield* prepare(definitions(), isLowered);
  }

  return {
    prepare: (isLowered) => runInSlices(steps(isLowered)),
    definitions,
    program: () => programOf(definitions()),
    version: () => versionOf(definitions()),
    visible(change) {
      definitions();
      return {
        flags: change.flags.filter((key) => flags.has(key)),
        experiments: change.experiments.filter((key) => experiments.has(key)),
      };
    },
  };
}

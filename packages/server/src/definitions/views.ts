import type { Definitions, DefinitionsChange, Engine, Program } from "@assay/core";
import { createProgramMaker } from "@assay/core/server";
import type { Awaitable } from "../ground/awaitable.ts";
import { runInSlices } from "../ground/slices.ts";
import { type Projection, projectDefinitions, projectParts } from "./projection.ts";
import { hashOf, versionOf } from "./version.ts";

/** The definitions that one kind of API key may read. */
export interface View {
  /**
   * Computes and caches the parts of each flag, experiment and segment, in slices between other requests. The methods
   * below then only combine them. They work without this call, but may block for long.
   *
   * @param isLowered whether the program is needed too
   */
  prepare(isLowered: boolean): Awaitable<void>;
  /** The same object until a definition changes. */
  definitions(): Definitions;
  /** The definitions lowered to a program. The same object until a definition changes. */
  program(): Program;
  /** The version of the definitions. */
  version(): string;
  /** The part of a change that readers of this view may see. */
  visible(change: DefinitionsChange): DefinitionsChange;
}

const maker = createProgramMaker();
const programs = new WeakMap<Definitions, Program>();

/** Definitions are replaced, never mutated, so each set is lowered once. */
function programOf(definitions: Definitions): Program {
  let program = programs.get(definitions);
  if (!program) {
    program = maker.make(definitions);
    programs.set(definitions, program);
  }
  return program;
}

/** Sets already prepared, without and with programs. */
const prepared = [new WeakSet<Definitions>(), new WeakSet<Definitions>()] as const;

function isPrepared(definitions: Definitions, isLowered: boolean): boolean {
  return prepared[isLowered ? 1 : 0].has(definitions);
}

/** Hashes each part for the version, and lowers it if a program is needed. */
function* prepare(definitions: Definitions, isLowered: boolean): Generator<void> {
  if (isPrepared(definitions, isLowered)) return;
  for (const part of partsOf(definitions)) yield void hashOf(part);
  if (isLowered) {
    yield* maker.steps(definitions);
    for (const part of partsOf(programOf(definitions))) yield void hashOf(part);
  }
  prepared[isLowered ? 1 : 0].add(definitions);
}

function partsOf({ flags, experiments, segments }: Definitions | Program): readonly object[] {
  return [...flags, ...experiments, ...segments];
}

/** Creates the view of SERVER keys: everything. */
export function createServerView(engine: Engine): View {
  return {
    prepare(isLowered) {
      if (!isPrepared(engine.definitions, isLowered)) return runInSlices(prepare(engine.definitions, isLowered));
    },
    definitions: () => engine.definitions,
    program: () => programOf(engine.definitions),
    version: () => versionOf(engine.definitions),
    visible: (change) => change,
  };
}

/** Creates the view of CLIENT keys: only flags with `client_side`. */
export function createClientView(engine: Engine, projection: Projection): View {
  const projections = new WeakMap<object, Definitions>();
  // Flags taken from clients change for them once more, so earlier names stay visible.
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
    prepare(isLowered) {
      const projected = projections.get(engine.definitions);
      if (!projected || !isPrepared(projected, isLowered)) return runInSlices(steps(isLowered));
    },
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

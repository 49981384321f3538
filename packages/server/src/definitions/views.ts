import { type Definitions, type DefinitionsChange, type Engine, type Program, toProgram } from "@assay/core";
import { type Projection, projectDefinitions } from "./projection.ts";
import { versionOf } from "./version.ts";

/** What a kind of API key may know of the definitions. */
export interface View {
  /** The same object until something changes. */
  definitions(): Definitions;
  /** The same, lowered; the same object until something changes. */
  program(): Program;
  /** Names them. */
  version(): string;
  /** The part of a change that concerns whoever reads them. */
  visible(change: DefinitionsChange): DefinitionsChange;
}

const programs = new WeakMap<Definitions, Program>();

/** Definitions are replaced, never changed, so each set is lowered once. */
function programOf(definitions: Definitions): Program {
  let program = programs.get(definitions);
  if (!program) {
    program = toProgram(definitions);
    programs.set(definitions, program);
  }
  return program;
}

/** What SERVER keys may know: everything. */
export function createServerView(engine: Engine): View {
  return {
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

  return {
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

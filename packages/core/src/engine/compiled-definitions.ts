import { type CompilerInput, toCompilerInputs } from "../compiler/input.ts";
import type { Lowered } from "../compiler/scope.ts";
import type { Definitions } from "../format/definition.ts";
import { indexSegments } from "../format/segment-index.ts";
import type { LinkDefinitions, LinkedDefinitions } from "../runtime/linked-definitions.ts";
import type { Links } from "../runtime/links.ts";
import { isSame } from "../values/equality.ts";
import {
  type CompiledExperiment,
  type CompiledFlag,
  type CompiledSegment,
  compileExperimentFor,
  compileFlagFor,
  compileSegmentFor,
  type Explaining,
} from "./compilation.ts";
import type { DefinitionsChange } from "./observable-definitions.ts";

/** A compiled definition with its input. The next compilation reuses it if the input is unchanged. */
export type Carried<T> = T & { input: CompilerInput<unknown> };

/** A compiled set of definitions. */
export interface CompiledDefinitions extends LinkedDefinitions<Definitions> {
  segments: ReadonlyMap<string, Carried<CompiledSegment>>;
  flags: ReadonlyMap<string, Carried<CompiledFlag>>;
  experiments: ReadonlyMap<string, Carried<CompiledExperiment>>;
}

/** A compiler of definitions. */
export type DefinitionCompiler = LinkDefinitions<Definitions, CompiledDefinitions>;

/**
 * Creates the compiler of definitions, which reuses unchanged ones of the previous result. It throws a
 * SchemaVersionError if the definitions have a later format.
 * @param explaining absent: explanations stay empty
 */
export function createDefinitionCompiler(explaining?: Explaining): DefinitionCompiler {
  return (definitions, links, previous) => {
    const inputs = toCompilerInputs(definitions);
    const compileAll = <D, T extends object>(
      listed: readonly CompilerInput<D>[],
      keyOf: (definition: D) => string,
      before: ReadonlyMap<string, Carried<T>> | undefined,
      compile: (input: CompilerInput<D>, links: Links, explaining?: Explaining) => T,
    ) => {
      const entries = new Map<string, Carried<T>>();
      for (const input of listed) {
        const key = keyOf(input.definition);
        const existing = before?.get(key);
        const isUnchanged = existing !== undefined && isSame(existing.input, input);
        entries.set(key, isUnchanged ? existing : { ...compile(input, links, explaining), input });
      }
      return entries;
    };
    const segments = compileAll(inputs.segments, ({ id }) => id, previous?.segments, compileSegmentFor);
    return {
      definitions,
      segments: indexSegments(segments.values()),
      flags: compileAll(inputs.flags, ({ key }) => key, previous?.flags, compileFlagFor),
      experiments: compileAll(inputs.experiments, ({ key }) => key, previous?.experiments, compileExperimentFor),
    };
  };
}

/** Returns the keys that differ between two sets, or refer to something that differs. */
export function diffCompiled(before: CompiledDefinitions, after: CompiledDefinitions): DefinitionsChange {
  const segments = findChanged(before.segments, after.segments, ({ lowered }, changed) =>
    lowered.references.some((name) => changed.has(name)),
  );
  const refersTo = ({ references }: Lowered<unknown>) => references.some((name) => segments.has(name));
  const flags = findChanged(
    before.flags,
    after.flags,
    ({ lowered }, changed) => refersTo(lowered) || lowered.requires.some((key) => changed.has(key)),
  );
  const experiments = findChanged(
    before.experiments,
    after.experiments,
    ({ program, lowered }) =>
      // An inactive experiment answers NOT_RUNNING, regardless of what it refers to.
      program.status === "ACTIVE" && (refersTo(lowered) || lowered.requires.some((key) => flags.has(key))),
  );
  return { flags: [...flags].sort(), experiments: [...experiments].sort() };
}

/**
 * Returns the keys that were added, removed or changed, or refer to something that changed. Unchanged definitions are
 * reused, so comparing by identity is enough.
 */
function findChanged<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  refersTo: (compiled: T, changed: ReadonlySet<string>) => boolean,
): Set<string> {
  const changed = new Set<string>();
  for (const [key, compiled] of after) if (before.get(key) !== compiled) changed.add(key);
  for (const key of before.keys()) if (!after.has(key)) changed.add(key);
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const [key, compiled] of after) if (refersTo(compiled, changed)) changed.add(key);
  }
  return changed;
}

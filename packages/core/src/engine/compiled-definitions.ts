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

/** A compiled set of definitions. */
export interface CompiledDefinitions extends LinkedDefinitions<Definitions> {
  segments: ReadonlyMap<string, CompiledSegment>;
  flags: ReadonlyMap<string, CompiledFlag>;
  experiments: ReadonlyMap<string, CompiledExperiment>;
  /** The keys of the flags that were replaced in the map of the previous set. Without it, the maps are different ones. */
  replaced?: Set<string>;
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
    const compileAll = <K extends string, D extends Record<K, string>, T extends { input: CompilerInput<D> }>(
      name: K,
      listed: readonly CompilerInput<D>[],
      before: ReadonlyMap<string, T> | undefined,
      compile: (input: CompilerInput<D>, links: Links, explaining?: Explaining) => T,
    ) => {
      const entries = new Map<string, T>();
      for (const input of listed) {
        const key = input.definition[name];
        const existing = before?.get(key);
        entries.set(key, existing && isSame(existing.input, input) ? existing : compile(input, links, explaining));
      }
      return entries;
    };
    return {
      definitions,
      segments: indexSegments(compileAll("id", inputs.segments, previous?.segments, compileSegmentFor).values()),
      flags: compileAll("key", inputs.flags, previous?.flags, compileFlagFor),
      experiments: compileAll("key", inputs.experiments, previous?.experiments, compileExperimentFor),
    };
  };
}

/** Returns the keys that differ between two sets, or refer to something that differs. */
export function diffCompiled(before: CompiledDefinitions, after: CompiledDefinitions): DefinitionsChange {
  const segments = findChanged(before.segments, after.segments, ({ lowered }, changed) =>
    lowered.references.some((name) => changed.has(name)),
  );
  const refersTo = ({ lowered }: { lowered: Lowered<unknown> }, changed: ReadonlySet<string>) =>
    lowered.references.some((name) => segments.has(name)) || lowered.requires.some((key) => changed.has(key));
  const flags = findChanged(before.flags, after.flags, refersTo, after.replaced);
  const experiments = findChanged(before.experiments, after.experiments, (compiled) => refersTo(compiled, flags));
  return { flags: [...flags].sort(), experiments: [...experiments].sort() };
}

/**
 * Returns the keys that were added, removed or changed, or refer to something that changed. Unchanged definitions are
 * reused, so comparing by identity is enough.
 *
 * @param changed those that were replaced in place
 */
function findChanged<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  refersTo: (compiled: T, changed: ReadonlySet<string>) => boolean,
  changed = new Set<string>(),
): Set<string> {
  if (before !== after) {
    for (const [key, compiled] of after) if (before.get(key) !== compiled) changed.add(key);
    for (const key of before.keys()) if (!after.has(key)) changed.add(key);
  }
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const [key, compiled] of after) if (refersTo(compiled, changed)) changed.add(key);
  }
  return changed;
}

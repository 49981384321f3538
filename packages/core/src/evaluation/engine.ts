import { assign } from "../assignment/assign.ts";
import type { Assignment } from "../assignment/assignment.ts";
import { type Definitions, type JsonValue, SCHEMA_VERSION } from "./definition.ts";
import type { Environment } from "./environment.ts";
import { type EvaluateOptions, evaluate } from "./evaluate.ts";
import { toResult } from "./flag.ts";
import type { EvaluationContext, EvaluationResult } from "./result.ts";
import { compileSnapshot, diffSnapshots, type Snapshot } from "./snapshot.ts";

/** The keys whose answers a change of definitions may have changed, each once, sorted. */
export interface DefinitionsChange {
  flags: string[];
  experiments: string[];
}

/** What {@link createEngine} may be given. */
export interface EngineOptions {
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

/** Answers for every flag and experiment of one set of definitions, which can be replaced while it runs. */
export interface Engine {
  /** The definitions that answers come from now. */
  readonly definitions: Definitions;
  /**
   * Evaluates one flag; never throws. `defaultValue` is served where the flag is missing (reason DEFAULT, error
   * code FLAG_NOT_FOUND), and where the default would be and the flag names none.
   */
  evaluate(
    flagKey: string,
    context: EvaluationContext,
    defaultValue: JsonValue,
    options?: EvaluateOptions,
  ): EvaluationResult;
  /** Evaluates every flag; the object has no prototype, because a flag may be called `constructor`. */
  evaluateAll(context: EvaluationContext, options?: EvaluateOptions): Record<string, EvaluationResult>;
  /** Assigns a user to an arm; null where there is no such experiment. */
  assign(experimentKey: string, userId: string, attributes?: Record<string, unknown>): Assignment | null;
  /**
   * Calls the listener after every update that changes something, with exactly the flags and experiments that
   * changed, be it through a segment, a prerequisite, the holdout or a group. Returns the function that stops it.
   */
  onChange(listener: (change: DefinitionsChange) => void): () => void;
  /**
   * Replaces the definitions: compiles what changed, swaps all at once, then tells the listeners. What a listener
   * throws is thrown on when all have been told.
   *
   * @throws SchemaVersionError where the definitions are of a later format; the current ones stay.
   */
  update(definitions: Definitions): DefinitionsChange;
}

/** Definitions of a later format than this evaluator knows. */
export class SchemaVersionError extends Error {
  override readonly name = "SchemaVersionError";
  readonly version: number;

  constructor(version: number) {
    super(
      `Definitions of schema version ${version} need a newer evaluator than this one, which knows ${SCHEMA_VERSION}`,
    );
    this.version = version;
  }
}

/**
 * Creates an engine over definitions; see {@link Engine}.
 *
 * @example
 * const engine = createEngine(definitions);
 * engine.evaluate("new-checkout", { targetingKey: "user-123", country: "DE" }, false).value;
 *
 * @throws SchemaVersionError where the definitions are of a later format.
 */
export function createEngine(definitions: Definitions, options: EngineOptions = {}): Engine {
  const listeners = new Set<(change: DefinitionsChange) => void>();
  // References between definitions are followed at evaluation, through `current`, so what did not change itself is
  // carried over even where what it refers to did.
  const environment: Environment = {
    segment: (idOrName) => current.segments.get(idOrName)?.compiled.test,
    flag: (key) => current.flags.get(key)?.compiled,
    now: options.now,
  };
  let current: Snapshot = compileSnapshot(checkVersion(definitions), null, environment);

  return {
    get definitions() {
      return current.definitions;
    },
    evaluate(flagKey, context, defaultValue, options) {
      const flag = current.flags.get(flagKey);
      if (flag === undefined) return toMissing(flagKey, defaultValue);
      const result = evaluate(flag.compiled, context, options);
      // Null is served only where the flag names no default.
      return result.variant === null && flag.compiled.defaultValue === null
        ? { ...result, value: defaultValue }
        : result;
    },
    evaluateAll(context, options) {
      const results: Record<string, EvaluationResult> = Object.create(null);
      for (const [key, flag] of current.flags) results[key] = evaluate(flag.compiled, context, options);
      return results;
    },
    assign(experimentKey, userId, attributes) {
      const experiment = current.experiments.get(experimentKey);
      return experiment === undefined ? null : assign(experiment.compiled, userId, attributes);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    update(definitions) {
      const previous = current;
      current = compileSnapshot(checkVersion(definitions), previous, environment);
      const change = diffSnapshots(previous, current);
      if (change.flags.length + change.experiments.length > 0) notify(listeners, change);
      return change;
    },
  };
}

function checkVersion(definitions: Definitions): Definitions {
  if (definitions.schema_version > SCHEMA_VERSION) throw new SchemaVersionError(definitions.schema_version);
  return definitions;
}

function toMissing(flagKey: string, value: JsonValue): EvaluationResult {
  const error_message = `No flag ${JSON.stringify(flagKey)}`;
  return { ...toResult(value, null, "DEFAULT"), enabled: false, error_code: "FLAG_NOT_FOUND", error_message };
}

function notify(listeners: Iterable<(change: DefinitionsChange) => void>, change: DefinitionsChange): void {
  const errors: unknown[] = [];
  for (const listener of [...listeners]) {
    try {
      listener(change);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

import type {
  Engine,
  EvaluateOptions,
  EvaluationContext,
  EvaluationResult,
  ExplainOptions,
  FlagDefinition,
  JsonValue,
} from "@assay/core";
import { forceFlag, type Overrides } from "@assay/core/overrides";
import type { Awaitable } from "../ground/awaitable.ts";
import type { Runtime } from "../ground/runtime.ts";
import { visitInSlices } from "../ground/slices.ts";
import type { Caller } from "../model/caller.ts";
import type { FlagRecord } from "../model/feature-flag.ts";
import type { Collection } from "../storage/collection.ts";
import { type FlagUsage, readerOf } from "./flag-usage.ts";
import { contextOf } from "./user-context.ts";

/** Overrides of the request, or null if there are none. */
export type Forced = Overrides | null;
export type AskOptions = ExplainOptions & { overrides?: Forced };
export type Attributes = Record<string, JsonValue> | undefined;
export type FlagEvaluation = EvaluationResult & { key: string };

/** Evaluates flags for HTTP callers. */
export interface FlagEvaluator {
  /** Null-prototype object from flag key to whether the flag is on, for the flags this caller may evaluate. */
  enabledFor(
    userId: string,
    attributes: Attributes,
    caller: Caller,
    overrides: Forced,
  ): Promise<Record<string, boolean>>;
  /**
   * Evaluates one flag. Undefined if this caller may not evaluate it: archived flags are hidden from all callers, and
   * CLIENT keys see only `client_side` flags. Every HTTP evaluation uses this method.
   */
  ask(key: string, context: EvaluationContext, caller: Caller, options?: AskOptions): EvaluationResult | undefined;
  /** Evaluates every flag that this caller may evaluate. The results have no `bucket`, so the engine shares them. */
  askAll(
    context: EvaluationContext,
    caller: Caller,
    overrides: Forced,
    visit: (flag: FlagDefinition, result: EvaluationResult) => void,
  ): Awaitable<void>;
  /** Whether browsers and apps may evaluate the flag. */
  isClientSide(key: string): boolean;
}

const WITHOUT_BUCKET: EvaluateOptions = { bucket: false };

/** Creates the evaluator that all HTTP callers share. */
export function createFlagEvaluator({
  flags,
  engine,
  flagUsage,
  runtime,
}: {
  flags: Collection<FlagRecord>;
  engine: Engine;
  flagUsage: FlagUsage;
  runtime: Pick<Runtime, "metrics">;
}): FlagEvaluator {
  function isVisible(key: string, caller: Caller): boolean {
    return caller.type !== "API_KEY" || caller.kind === "SERVER" || evaluator.isClientSide(key);
  }

  const evaluator: FlagEvaluator = {
    ask(key, context, caller, options) {
      if (!isVisible(key, caller)) return undefined;
      const result = engine.evaluate(key, context, null, options);
      if (result.error_code === "FLAG_NOT_FOUND") return undefined;
      flagUsage.note(key);
      runtime.metrics.evaluated(result.reason);
      return forceFlag(engine.definitions, key, options?.overrides, result);
    },
    askAll(context, caller, overrides, visit) {
      flagUsage.noteAll(readerOf(caller));
      return visitInSlices(engine.definitions.flags, (flag) => {
        if (!isVisible(flag.key, caller)) return;
        const result = engine.evaluate(flag.key, context, null, WITHOUT_BUCKET);
        // Deleted between two slices.
        if (result.error_code === "FLAG_NOT_FOUND") return;
        runtime.metrics.evaluated(result.reason);
        visit(flag, forceFlag(engine.definitions, flag.key, overrides, result));
      });
    },
    isClientSide: (key) => flags.findBy("key", key)?.client_side === true,
    async enabledFor(userId, attributes, caller, overrides) {
      // No prototype, because a flag key may be `constructor`.
      const enabled: Record<string, boolean> = Object.create(null);
      await evaluator.askAll(contextOf(userId, attributes), caller, overrides, (flag, result) => {
        enabled[flag.key] = result.enabled;
      });
      return enabled;
    },
  };
  return evaluator;
}

import type {
  Engine,
  EvaluateOptions,
  EvaluationContext,
  EvaluationResult,
  FlagDefinition,
  JsonValue,
} from "@assay/core";
import { forceFlag, type Overrides } from "@assay/core/overrides";
import { notFound } from "../errors.ts";
import type { Caller } from "../model/caller.ts";
import type { FlagRecord } from "../model/feature-flag.ts";
import { mapInSlices } from "../slices.ts";
import type { Collection } from "../storage/collection.ts";
import { findByIdOrKey } from "../storage/lookup.ts";
import { type FlagUsage, readerOf } from "./flag-usage.ts";

/** What the request forces; null where nothing. */
export type Forced = Overrides | null;
export type AskOptions = EvaluateOptions & { overrides?: Forced };
export type Attributes = Record<string, JsonValue> | undefined;
export type FlagEvaluation = EvaluationResult & { key: string };

/** Flags as callers over HTTP may have them evaluated. */
export interface FlagEvaluator {
  /** Null-prototype object of flag key to whether it is on, of the flags that this caller may have evaluated. */
  enabledFor(
    userId: string,
    attributes: Attributes,
    caller: Caller,
    overrides: Forced,
  ): Promise<Record<string, boolean>>;
  /** @throws ApiError 404 */
  evaluate(key: string, context: EvaluationContext, caller: Caller, options: AskOptions): FlagEvaluation;
  /**
   * Evaluates one flag; undefined where there is none that this caller may have evaluated: archived flags are nobody's,
   * and a CLIENT key only sees `client_side` ones. Every way of asking over HTTP comes through here.
   */
  ask(key: string, context: EvaluationContext, caller: Caller, options?: AskOptions): EvaluationResult | undefined;
  /** The same for every flag that this caller may have evaluated. */
  askAll(context: EvaluationContext, caller: Caller, overrides?: Forced): Promise<[FlagDefinition, EvaluationResult][]>;
  /** Whether a flag is for browsers and apps too. */
  isClientSide(key: string): boolean;
}

/** Creates the one way in which flags are evaluated for callers. */
export function createFlagEvaluator({
  flags,
  engine,
  use,
}: {
  flags: Collection<FlagRecord>;
  engine: Engine;
  use: FlagUsage;
}): FlagEvaluator {
  function isVisible(key: string, caller: Caller): boolean {
    return caller.type !== "API_KEY" || caller.kind === "SERVER" || evaluator.isClientSide(key);
  }

  const evaluator: FlagEvaluator = {
    ask(key, context, caller, options) {
      if (!isVisible(key, caller)) return undefined;
      const result = engine.evaluate(key, context, null, options);
      if (result.error_code === "FLAG_NOT_FOUND") return undefined;
      use.note(key);
      return forceFlag(engine.definitions, key, options?.overrides, result);
    },
    async askAll(context, caller, overrides) {
      use.noteAll(readerOf(caller));
      const visible = engine.definitions.flags.filter(({ key }) => isVisible(key, caller));
      const answers = await mapInSlices(visible, (flag): [FlagDefinition, EvaluationResult] => {
        const result = engine.evaluate(flag.key, context, null);
        return [flag, forceFlag(engine.definitions, flag.key, overrides, result)];
      });
      // What was deleted between two slices is not there any more.
      return answers.filter(([, { error_code }]) => error_code !== "FLAG_NOT_FOUND");
    },
    isClientSide: (key) => flags.findBy("key", key)?.client_side === true,
    async enabledFor(userId, attributes, caller, overrides) {
      // No prototype, because a flag may be called `constructor`.
      const enabled: Record<string, boolean> = Object.create(null);
      for (const [flag, result] of await evaluator.askAll({ ...attributes, targetingKey: userId }, caller, overrides)) {
        enabled[flag.key] = result.enabled;
      }
      return enabled;
    },
    evaluate(key, context, caller, options) {
      const flag = findByIdOrKey(flags, key);
      if (!flag) throw notFound();
      const result = evaluator.ask(flag.key, context, caller, options);
      if (!result) throw notFound();
      return { ...result, key: flag.key };
    },
  };
  return evaluator;
}

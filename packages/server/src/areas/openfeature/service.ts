import type { Definitions, Engine, JsonValue } from "@assay/core";
import type { Caller } from "../../identity/caller.ts";
import type { Attributes, FeatureFlagService } from "../feature-flags/service.ts";

export interface OpenFeatureQuestion {
  flagKey: string;
  userId?: string | undefined;
  attributes?: Attributes;
}

export interface OpenFeatureAnswer {
  value: JsonValue;
  variant: string | null;
  reason: string;
  flagKey: string;
  errorCode?: string;
  errorMessage?: string;
}

export interface OpenFeatureService {
  /** Everything a provider needs to evaluate locally; the same object until something changes. */
  definitions(): Definitions;
  /** Never a 404: a missing flag is an answer with `errorCode` FLAG_NOT_FOUND. */
  evaluate(question: OpenFeatureQuestion, caller: Caller): OpenFeatureAnswer;
}

export function createOpenFeatureService(deps: { engine: Engine; flags: FeatureFlagService }): OpenFeatureService {
  const { engine, flags } = deps;
  return {
    definitions: () => engine.definitions,
    evaluate({ flagKey, userId, attributes }, caller) {
      if (!flags.isVisible(flagKey, caller)) return missing(flagKey);
      const result = engine.evaluate(flagKey, { ...attributes, targetingKey: userId }, null);
      const { value, variant, reason, error_code, error_message } = result;
      if (error_code === "FLAG_NOT_FOUND") return missing(flagKey);
      return {
        value,
        variant,
        reason,
        flagKey,
        ...(error_code ? { errorCode: error_code } : {}),
        ...(error_message ? { errorMessage: error_message } : {}),
      };
    },
  };
}

function missing(flagKey: string): OpenFeatureAnswer {
  return { value: null, variant: null, reason: "DEFAULT", flagKey, errorCode: "FLAG_NOT_FOUND" };
}

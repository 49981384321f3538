import type { Definitions, Engine, EvaluationResult, JsonValue, Program } from "@assay/core";
import type { Announce, Announcements } from "../../definitions/announcements.ts";
import type { Attributes, Forced } from "../../definitions/evaluator.ts";
import { type FlagUsage, readerOf } from "../../definitions/flag-usage.ts";
import { contextOf } from "../../definitions/user-context.ts";
import { createClientView, createServerView } from "../../definitions/views.ts";
import type { Awaitable } from "../../ground/awaitable.ts";
import { SharedAnswer } from "../../http/shared-answer.ts";
import type { Caller } from "../../model/caller.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";

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
  /** Prepares the results of the methods below in slices, including the program if `isProgram`. */
  prepare(caller: Caller, isProgram: boolean): Awaitable<void>;
  /** The definitions a provider needs for local evaluation. The same object until a definition changes. */
  definitions(caller: Caller): Definitions;
  /** The definitions lowered to a program. The same object until a definition changes. */
  program(caller: Caller): Program;
  /** The version of the definitions, the same on every node. */
  version(caller: Caller): string;
  /** Never a 404: a missing flag returns `errorCode` FLAG_NOT_FOUND. */
  evaluate(question: OpenFeatureQuestion, caller: Caller, overrides?: Forced): OpenFeatureAnswer;
  /** Like `evaluate`; returns the same answer for all users of the same outcome. */
  evaluateOne(
    question: OpenFeatureQuestion,
    caller: Caller,
    overrides: Forced,
  ): OpenFeatureAnswer | SharedAnswer<OpenFeatureAnswer>;
  /** Server-sent events until `readmit` rejects, encoded by `announce`. @throws ApiError 429, 503 */
  stream(caller: Caller, lastEventId: string | null, readmit: () => Promise<unknown>, announce?: Announce): Response;
}

export function createOpenFeatureService(deps: {
  engine: Engine;
  flags: FeatureFlagService;
  announcements: Announcements;
  flagUsage: Pick<FlagUsage, "noteAll">;
}): OpenFeatureService {
  const { engine, flags, announcements, flagUsage } = deps;
  const serverView = createServerView(engine);
  const clientView = createClientView(engine, flags);
  const viewOf = (caller: Caller) => (caller.type === "API_KEY" && caller.kind === "CLIENT" ? clientView : serverView);

  const shared = new WeakMap<EvaluationResult, OpenFeatureAnswer>();
  const ask = ({ flagKey, userId, attributes }: OpenFeatureQuestion, caller: Caller, overrides: Forced | undefined) =>
    flags.ask(flagKey, contextOf(userId, attributes), caller, { overrides, bucket: false });

  return {
    prepare: (caller, isProgram) => viewOf(caller).prepare(isProgram),
    definitions: (caller) => viewOf(caller).definitions(),
    program: (caller) => viewOf(caller).program(),
    version(caller) {
      // Callers with definitions evaluate locally, out of sight of this server.
      flagUsage.noteAll(readerOf(caller));
      return viewOf(caller).version();
    },
    stream(caller, lastEventId, readmit, announce = nameChanges) {
      flagUsage.noteAll(readerOf(caller));
      // Callers with a program may send its whole ETag.
      const lastVersion = lastEventId?.split(".")[0] ?? null;
      return announcements.listen({ caller, view: viewOf(caller), announce, lastEventId: lastVersion, readmit });
    },
    evaluate(question, caller, overrides) {
      const result = ask(question, caller, overrides);
      return result ? toAnswer(question.flagKey, result) : missing(question.flagKey);
    },
    evaluateOne(question, caller, overrides) {
      const { flagKey } = question;
      const result = ask(question, caller, overrides);
      if (!result) return missing(flagKey);
      const known = shared.get(result);
      if (known?.flagKey === flagKey) return new SharedAnswer(known);
      const answer = toAnswer(flagKey, result);
      // The engine shares a frozen result among all users of the same outcome.
      if (Object.isFrozen(result)) shared.set(result, answer);
      return answer;
    },
  };
}

function toAnswer(flagKey: string, result: EvaluationResult): OpenFeatureAnswer {
  const { value, variant, reason, error_code, error_message } = result;
  return {
    value,
    variant,
    reason,
    flagKey,
    ...(error_code ? { errorCode: error_code } : {}),
    ...(error_message ? { errorMessage: error_message } : {}),
  };
}

const nameChanges: Announce = (version, change) =>
  change === null
    ? { event: "refetch", id: version, data: { version } }
    : { event: "definitions", id: version, data: { version, ...change } };

function missing(flagKey: string): OpenFeatureAnswer {
  return { value: null, variant: null, reason: "DEFAULT", flagKey, errorCode: "FLAG_NOT_FOUND" };
}

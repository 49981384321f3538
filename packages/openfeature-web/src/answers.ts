import type { Definitions, ErrorCode, EvaluationContext, EvaluationResult, JsonValue, Reason } from "@assay/core";
import { NO_DEFINITIONS } from "@assay/core/definitions";
import type { ProviderEngine } from "@assay/core/provider";
import type { EvaluationParts } from "./session.ts";

/** The answer to a bulk evaluation of the OpenFeature Remote Evaluation Protocol. */
export interface RemoteAnswers {
  flags: {
    key: string;
    value?: JsonValue;
    /** What a disabled flag serves, as it does where it is evaluated in the page. */
    defaultValue?: JsonValue;
    variant?: string;
    metadata?: { evaluationReason?: string; ruleId?: string; version?: number; flagSetId?: string; forced?: boolean };
    errorCode?: string;
    errorDetails?: string;
  }[];
}

/** What a page knows of definitions where the server evaluates: their answers for one context. */
interface AnsweredDefinitions extends Definitions {
  answers: ReadonlyMap<string, EvaluationResult>;
}

/** The parts of a source that asks the server to evaluate all flags for whatever the context is. */
export function remoteParts(contextOf: () => EvaluationContext): EvaluationParts {
  return {
    createEngine: createAnswerEngine,
    ask: (announced) => ({
      path: `/ofrep/v1/evaluate/flags${announced ? `?flagConfigEtag=${announced}` : ""}`,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ context: contextOf() }),
    }),
    parse: toAnswered,
  };
}

/** The part of an answer that may be kept: the rest are addresses that stand for the key. */
export function withoutStreams(text: string): string {
  const { flags } = JSON.parse(text) as RemoteAnswers;
  return JSON.stringify({ flags });
}

/** Reads an answer. @throws SyntaxError or TypeError where it is none */
function toAnswered(body: unknown): AnsweredDefinitions {
  const { flags } = Object(typeof body === "string" ? JSON.parse(body) : body) as RemoteAnswers;
  if (!Array.isArray(flags)) throw new TypeError("The answer is not an evaluation of flags");
  const unknown = { rollout_percentage: 100, variants: [], rules: [] };
  return {
    ...NO_DEFINITIONS,
    flag_set_id: flags.find(({ metadata }) => metadata?.flagSetId !== undefined)?.metadata?.flagSetId,
    flags: flags.map(({ key, metadata }) => ({ ...unknown, key, version: metadata?.version, enabled: true })),
    // Which flags an experiment runs on is the server's to know: it takes exposures by flag.
    experiments: flags.map(({ key }) => ({
      ...unknown,
      id: "",
      key,
      status: "ACTIVE",
      experiment_type: "FEATURE_FLAG",
      feature_flag_key: key,
    })),
    answers: new Map(flags.map((flag) => [flag.key, toResult(flag)])),
  };
}

function toResult(answer: RemoteAnswers["flags"][number]): EvaluationResult {
  const { defaultValue, value = defaultValue, variant, metadata, ...failure } = answer;
  const { evaluationReason = "DEFAULT", ruleId, forced = false } = metadata ?? {};
  const result: EvaluationResult = {
    value: value ?? null,
    variant: variant ?? null,
    reason: evaluationReason as Reason,
    enabled: typeof value === "boolean" ? value : variant !== undefined,
    rule_id: ruleId ?? null,
    bucket: null,
    forced,
  };
  if (!failure.errorCode) return result;
  return { ...result, error_code: failure.errorCode as ErrorCode, error_message: failure.errorDetails };
}

/** An engine that has been told its answers. */
function createAnswerEngine(first: Definitions): ProviderEngine {
  const listeners = new Set<Parameters<ProviderEngine["onChange"]>[0]>();
  let definitions = first;
  let answers = answersOf(first);
  return {
    get definitions() {
      return definitions;
    },
    evaluate: (flagKey, _context, value) =>
      answers.get(flagKey) ?? {
        ...toResult({ key: flagKey, value }),
        error_code: "FLAG_NOT_FOUND",
        error_message: `No flag ${JSON.stringify(flagKey)}`,
      },
    assign(flagKey) {
      const { variant, forced } = answers.get(flagKey) ?? { variant: null, forced: false };
      return { variant_key: variant ?? "", assigned: variant !== null, reason: "ASSIGNED", bucket: null, forced };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    update(next) {
      const [before, after] = [answers, answersOf(next)];
      const keys = [...new Set([...before.keys(), ...after.keys()])];
      const flags = keys.filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key))).sort();
      definitions = next;
      answers = after;
      const change = { flags, experiments: [] };
      if (flags.length > 0) for (const listener of [...listeners]) listener(change);
      return change;
    },
  };
}

function answersOf(definitions: Definitions): AnsweredDefinitions["answers"] {
  return (definitions as Partial<AnsweredDefinitions>).answers ?? new Map();
}

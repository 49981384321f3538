import type { ErrorCode, EvaluationContext, EvaluationResult, JsonValue, Reason } from "@assay/core";
import type { LoadingParts } from "@assay/sdk/internal";
import type { PageEngine, RevisedOutline } from "./session.ts";

/** The answer to a bulk evaluation of the OpenFeature Remote Evaluation Protocol. */
export interface RemoteAnswers {
  flags: {
    key: string;
    value?: JsonValue;
    /** The value of a disabled flag, as when evaluated in the page. */
    defaultValue?: JsonValue;
    variant?: string;
    metadata?: { evaluationReason?: string; ruleId?: string; version?: number; flagSetId?: string; forced?: boolean };
    errorCode?: string;
    errorDetails?: string;
  }[];
}

/** A page's definitions with remote evaluation: their answers for one context. */
export interface AnsweredOutline extends RevisedOutline {
  answers: ReadonlyMap<string, EvaluationResult>;
}

/** The parts of a source that asks the server to evaluate all flags for the current context. */
export function remoteParts(
  contextOf: () => EvaluationContext,
): LoadingParts<AnsweredOutline, PageEngine<AnsweredOutline>> {
  return {
    none: toOutline([]),
    createEngine: createAnswerEngine,
    ask: (announced) => ({
      path: `/ofrep/v1/evaluate/flags${announced ? `?flagConfigEtag=${announced}` : ""}`,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ context: contextOf() }),
    }),
    parse(body) {
      const { flags } = Object(typeof body === "string" ? JSON.parse(body) : body) as RemoteAnswers;
      if (!Array.isArray(flags)) throw new TypeError("Expected a bulk evaluation");
      return toOutline(flags);
    },
  };
}

function toOutline(flags: RemoteAnswers["flags"]): AnsweredOutline {
  const variants: [] = [];
  const answers = new Map(flags.map((flag) => [flag.key, toResult(flag)]));
  return {
    answers,
    flag_set_id: flags.find(({ metadata }) => metadata?.flagSetId)?.metadata?.flagSetId,
    flags: flags.map(({ key, metadata }) => ({
      key,
      version: metadata?.version,
      revision: JSON.stringify(answers.get(key)),
      variants,
    })),
    // Only the server knows which flags an experiment runs on: it accepts exposures by flag.
    experiments: flags.map(({ key }) => ({
      id: "",
      key,
      status: "ACTIVE",
      experiment_type: "FEATURE_FLAG",
      feature_flag_key: key,
      variants,
    })),
  };
}

function toResult(answer: RemoteAnswers["flags"][number]): EvaluationResult {
  const { defaultValue = null, value = defaultValue, variant = null, metadata = {}, errorCode, errorDetails } = answer;
  const { evaluationReason = "DEFAULT", ruleId = null, forced = false } = metadata;
  return {
    value,
    variant,
    reason: evaluationReason as Reason,
    enabled: typeof value === "boolean" ? value : variant !== null,
    rule_id: ruleId,
    bucket: null,
    forced,
    ...(errorCode && { error_code: errorCode as ErrorCode, error_message: errorDetails }),
  };
}

/** An engine that has received its answers. */
function createAnswerEngine(first: AnsweredOutline): PageEngine<AnsweredOutline> {
  const engine = {
    definitions: first,
    evaluate: (key: string) =>
      engine.definitions.answers.get(key) ??
      toResult({ key, errorCode: "FLAG_NOT_FOUND", errorDetails: `No flag ${JSON.stringify(key)}` }),
    assign(key: string) {
      const { variant, forced } = engine.evaluate(key);
      return {
        variant_key: variant ?? "",
        assigned: variant !== null,
        reason: "ASSIGNED" as const,
        bucket: null,
        forced,
      };
    },
    update(next: AnsweredOutline) {
      engine.definitions = next;
    },
  };
  return engine;
}

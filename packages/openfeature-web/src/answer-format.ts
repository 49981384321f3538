import type { EvaluationContext, EvaluationResult, FlagMetadata, JsonValue } from "@assay/core";
import { fromOfrepAnswer, type OfrepAnswer } from "@assay/sdk/internal";
import type { PageEngine, PageFormat, RevisedOutline } from "./page-format.ts";

/** The response to a bulk evaluation of the OpenFeature Remote Evaluation Protocol. */
export interface RemoteAnswers {
  flags: OfrepAnswer<JsonValue>[];
}

/** The flags of a page with remote evaluation: their results for one context. */
export interface AnsweredOutline extends RevisedOutline {
  answers: ReadonlyMap<string, EvaluationResult>;
}

/** Creates the format of the server's results for the current context. */
export function createAnswerFormat(contextOf: () => EvaluationContext): PageFormat<AnsweredOutline> {
  return {
    empty: toOutline([]),
    createEngine: createAnswerEngine,
    toRequest: (announced) => ({
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
    bootstrap: "a bulk evaluation",
    opaqueEtag: true,
    redact(text) {
      // The addresses of streams are as good as the key.
      return JSON.stringify({ ...JSON.parse(text), eventStreams: undefined });
    },
  };
}

function toOutline(flags: RemoteAnswers["flags"]): AnsweredOutline {
  const answers = new Map(flags.map((flag) => [flag.key, fromOfrepAnswer(flag)]));
  return {
    answers,
    flag_set_id: flags.map(({ metadata }) => metadata?.flagSetId).find(Boolean),
    flags: flags.map(({ key, metadata: { forced: _, ...metadata } = {} }) => ({
      key,
      version: metadata.version,
      metadata: metadata as FlagMetadata,
      revision: JSON.stringify(answers.get(key)),
    })),
    // Only the server knows which flags an experiment runs on: it accepts exposures by flag.
    experiments: flags.map(({ key }) => ({
      id: "",
      key,
      status: "ACTIVE",
      feature_flag_key: key,
    })),
  };
}

/** Creates an engine over results of the server. */
function createAnswerEngine(initial: AnsweredOutline): PageEngine<AnsweredOutline> {
  const engine = {
    definitions: initial,
    evaluate: (key: string) =>
      engine.definitions.answers.get(key) ??
      fromOfrepAnswer({ key, errorCode: "FLAG_NOT_FOUND", errorDetails: `No flag ${JSON.stringify(key)}` }),
    assign(key: string) {
      const { variant, forced } = engine.evaluate(key);
      return { variant_key: variant ?? "", assigned: variant !== null, forced };
    },
    update(next: AnsweredOutline) {
      engine.definitions = next;
    },
  };
  return engine;
}

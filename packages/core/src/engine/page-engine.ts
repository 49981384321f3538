import type { Assignment } from "../format/assignment.ts";
import { DefinitionError, toMessage } from "../format/definition-error.ts";
import type { ExperimentProgram, ExperimentReason, Outcome, Program } from "../format/program.ts";
import type { EvaluationContext, EvaluationResult } from "../format/result.ts";
import { indexSegments } from "../format/segment-index.ts";
import { linkDecision } from "../runtime/decision.ts";
import { type LinkedFlag, linkFlag, toError } from "../runtime/flag.ts";
import type { Links } from "../runtime/links.ts";
import { type LinkedSegment, linkSegment } from "../runtime/segment.ts";
import type { EngineOptions, ReplaceableDefinitions } from "./replaceable-definitions.ts";

/** The evaluation that a provider in a page needs. */
export interface PageEngine extends ReplaceableDefinitions<Program> {
  /** Evaluates one flag; never throws. A missing default is null, and all results are shared objects without bucket. */
  evaluate(flagKey: string, context: EvaluationContext): EvaluationResult;
  /** Returns the arm of a participant of an experiment over a flag; null for everyone else. */
  assign(
    experimentKey: string,
    userId: string,
    context: EvaluationContext,
  ): Pick<Assignment, "variant_key" | "assigned" | "forced"> | null;
}

/** {@link createProgramEngine} with only what a provider in a page needs, at a smaller bundle size. */
export function createPageEngine(program: Program, { now = Date.now }: EngineOptions = {}): PageEngine {
  let segments: ReadonlyMap<string, LinkedSegment>;
  let flags: ReadonlyMap<string, LinkedFlag>;
  let experiments: ReadonlyMap<string, ExperimentProgram>;
  const links: Links = { segment: (name) => segments.get(name), flag: (key) => flags.get(key), now };

  const engine = {
    definitions: program,
    update(next: Program) {
      engine.definitions = next;
      segments = indexSegments(next.segments.map((each) => linkSegment(each, links)));
      flags = new Map(next.flags.map((each) => [each.key, linkFlag(each, links)]));
      experiments = new Map(next.experiments.map((each) => [each.key, each]));
    },
    evaluate(flagKey: string, context: EvaluationContext) {
      const flag = flags.get(flagKey);
      if (!flag) {
        const error = toError(null, "FLAG_NOT_FOUND", `No flag ${JSON.stringify(flagKey)}`);
        return { ...error, reason: "DEFAULT" as const, enabled: false };
      }
      try {
        return flag.run(context, undefined);
      } catch (error) {
        // As `evaluate` does.
        const code = error instanceof DefinitionError ? "PARSE_ERROR" : "GENERAL";
        return toError(flag.program.default_value, code, toMessage(error));
      }
    },
    assign(experimentKey: string, _: string, context: EvaluationContext) {
      try {
        const experiment = experiments.get(experimentKey)!;
        // Linked here, because a page asks once for each exposure.
        const outcome = linkDecision(
          experiment.decision,
          experiment,
          (each) => each,
          REJECTED,
          links,
        )(context, undefined);
        if (!["FLAG", "ASSIGNED", "OVERRIDE"].includes(outcome.reason)) return null;
        // Participants of an experiment over a flag get the flag's answer.
        const flag = outcome.reason === "FLAG" && flags.get(experiment.feature_flag_key!);
        const { variant, forced = false } = flag ? flag.run(context, undefined) : outcome;
        return variant ? { variant_key: variant, assigned: true, forced } : null;
      } catch {
        // There is no such experiment, or it has no answer.
        return null;
      }
    },
  };
  engine.update(program);
  return engine;
}

const REJECTED: Outcome<ExperimentReason> = { reason: "TARGETING" };

import type { Definitions, ExperimentDefinition } from "../evaluation/definition.ts";
import type { Engine } from "../evaluation/engine.ts";
import type { Environment } from "../evaluation/environment.ts";
import { compileFlagFor } from "../evaluation/flag.ts";
import { answerFlags } from "../evaluation/flag-engine.ts";
import { createLiveDefinitions, type EngineOptions } from "../evaluation/live-definitions.ts";
import { toAssignment } from "./assignment.ts";
import type { CompiledExperiment } from "./experiment.ts";
import { answerExperiments } from "./experiment-engine.ts";
import type { Participation } from "./participation.ts";

/**
 * Creates an engine for what a CLIENT key may read: flags, and of experiments only those over flags, without forced
 * users. For such definitions it assigns whom `createEngine` assigns, and is smaller in a bundle.
 *
 * @throws SchemaVersionError where the definitions are of a later format.
 */
export function createClientEngine(definitions: Definitions, options: EngineOptions = {}): Engine {
  const compilers = { flag: compileFlagFor, experiment: compileOverFlag };
  return createLiveDefinitions(definitions, options, compilers, (holder) => ({
    ...answerFlags(holder),
    ...answerExperiments(holder),
  }));
}

/** An experiment over a flag is another flag in front of it, which is on for those who take part. */
function compileOverFlag(
  definition: ExperimentDefinition,
  environment: Environment,
  participation: Participation,
): CompiledExperiment {
  const { key, status, targeting_rules, bucket_by, feature_flag_key } = definition;
  const variants = [{ key, weight: 1, value: true }];
  const door = compileFlagFor(
    { key, enabled: status === "ACTIVE", rollout_percentage: 100, variants, rules: [], targeting_rules, bucket_by },
    environment,
    participation,
  );
  const outside = toAssignment("", "TARGETING");
  return {
    ...door,
    definition,
    control: "",
    run(context, now, trace) {
      if (door.run(context, now, trace).variant === null) return outside;
      const served = environment.flag?.(feature_flag_key ?? "")?.run(context, now, trace);
      if (!served || served.variant === null) return outside;
      return toAssignment(served.variant, served.forced ? "OVERRIDE" : "ASSIGNED", served.forced);
    },
  };
}

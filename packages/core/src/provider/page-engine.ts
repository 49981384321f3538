import type { EngineOptions } from "../evaluation/live-definitions.ts";
import { linkExperiment } from "../program/experiment.ts";
import { linkFlag, toError, toResult } from "../program/flag.ts";
import type { Links } from "../program/links.ts";
import type { Outline } from "../program/outline.ts";
import type { Program } from "../program/program.ts";
import { createProgramLinker } from "../program/snapshot.ts";
import { DefinitionError, toMessage } from "../targeting/definition-error.ts";
import type { ProviderEngine } from "./session.ts";

/** An engine whose definitions are replaced by whoever fetches them, and tells of it. */
export interface PageEngine<D extends Outline> extends ProviderEngine {
  readonly definitions: D;
  update(definitions: D): void;
}

/**
 * Creates an engine for pages: it answers as `createProgramEngine` does, but for the hash that decided, and has nothing
 * else that providers do not ask of it.
 */
export function createPageEngine(program: Program, { now = Date.now }: EngineOptions): PageEngine<Program> {
  const link = createProgramLinker({ flag: linkFlag, experiment: linkExperiment });
  const links: Links = {
    segment: (idOrName) => snapshot.segments.get(idOrName),
    flag: (key) => snapshot.flags.get(key),
    now,
  };
  let snapshot = link(program, links);

  return {
    get definitions() {
      return snapshot.definitions;
    },
    update(next) {
      snapshot = link(next, links);
    },
    evaluate(flagKey, context) {
      const flag = snapshot.flags.get(flagKey);
      if (!flag) {
        const error_message = `No flag ${JSON.stringify(flagKey)}`;
        return { ...toResult(null, null, "DEFAULT"), error_code: "FLAG_NOT_FOUND", error_message };
      }
      try {
        return flag.run(context, undefined);
      } catch (error) {
        // A context that is no object, an attribute whose getter throws, or a segment that is not understood.
        const code = error instanceof DefinitionError ? "PARSE_ERROR" : "GENERAL";
        return toError(flag.program.default_value, code, toMessage(error));
      }
    },
    assign(experimentKey, targetingKey, attributes) {
      try {
        return snapshot.experiments.get(experimentKey)?.run({ ...attributes, targetingKey }, undefined) ?? null;
      } catch {
        return null;
      }
    },
  };
}

import type { Program } from "../format/program.ts";
import { indexSegments } from "../format/segment-index.ts";
import { type LinkedFlag, linkFlag } from "../runtime/flag.ts";
import type { Links } from "../runtime/links.ts";
import { type LinkedSegment, linkSegment } from "../runtime/segment.ts";
import { answerFlag, type FlagAnswer } from "./flag-answers.ts";
import type { EngineOptions, ReplaceableDefinitions } from "./replaceable-definitions.ts";

/** Evaluates all flags of a program, which can be replaced at any time. */
export interface FlagProgramEngine extends ReplaceableDefinitions<Program>, FlagAnswer {}

/**
 * `createProgramEngine` without experiments. It does not use `createReplaceableDefinitions`, which makes the flag handler of
 * `@assay/edge` 80 bytes smaller.
 */
export function createFlagProgramEngine(
  program: Program,
  { now = Date.now, limit }: EngineOptions = {},
): FlagProgramEngine {
  let segments: ReadonlyMap<string, LinkedSegment>;
  let flags: ReadonlyMap<string, LinkedFlag>;
  const links: Links = { segment: (name) => segments.get(name), flag: (key) => flags.get(key), now, limit };

  const engine = {
    definitions: program,
    update(next: Program) {
      // Nothing changes if this throws.
      const linked = indexSegments(next.segments.map((each) => linkSegment(each, links)));
      flags = new Map(next.flags.map((each) => [each.key, linkFlag(each, links)]));
      segments = linked;
      engine.definitions = next;
    },
    ...answerFlag(links.flag),
  };
  engine.update(program);
  return engine;
}

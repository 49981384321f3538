import { PROGRAM_VERSION, type Program } from "./program.ts";

/** What an evaluator answers from before it has heard from the server. */
export const NO_PROGRAM: Program = { program_version: PROGRAM_VERSION, flags: [], experiments: [], segments: [] };

/**
 * Reads a program, as text or as the JSON it is. Only its outline is checked: a single flag that cannot be linked answers
 * its default, but a body that is something else altogether must not replace the flags there are.
 *
 * @throws SyntaxError where it is no JSON, TypeError where it is no program of this version.
 */
export function parseProgram(text: unknown): Program {
  const body = (typeof text === "string" ? JSON.parse(text) : text) as Program;
  const { program_version, flags, experiments, segments } = Object(body) as Program;
  const isGood =
    program_version === PROGRAM_VERSION &&
    [flags, experiments, segments].every(Array.isArray) &&
    [...flags, ...experiments].every((each) => typeof Object(each).key === "string") &&
    segments.every((each) => typeof Object(each).id === "string");
  if (!isGood) throw new TypeError(`Expected a program of version ${PROGRAM_VERSION}`);
  return body;
}

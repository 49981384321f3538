import { PROGRAM_VERSION, type Program } from "./program.ts";

/** The program of an evaluator before the first response. */
export const NO_PROGRAM: Program = { program_version: PROGRAM_VERSION, flags: [], experiments: [], segments: [] };

/**
 * Parses a program, as text or as parsed JSON. Checks only the outline: a single invalid flag serves its default, but
 * another kind of body must not replace the current flags.
 *
 * @throws SyntaxError if the text is not JSON, TypeError if it is not a program of this version.
 */
export function parseProgram(text: unknown): Program {
  const body = (typeof text === "string" ? JSON.parse(text) : text) as Program;
  const { program_version, flags, experiments, segments } = Object(body) as Program;
  const isGood =
    program_version === PROGRAM_VERSION &&
    [flags, experiments, segments].every(Array.isArray) &&
    [...flags, ...experiments].every((each) => typeof each?.key === "string") &&
    segments.every((each) => typeof each?.id === "string");
  if (!isGood) throw new TypeError(`Expected a program of version ${PROGRAM_VERSION}`);
  return body;
}

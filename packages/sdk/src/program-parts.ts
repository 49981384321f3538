import { NO_PROGRAM, type Program, parseProgram } from "@assay/core";
import type { LoadingParts } from "./loader.ts";

/** The parts of a loader of programs, without the engine. */
export const programParts = {
  none: NO_PROGRAM,
  ask: () => ({ path: "/openfeature/flags", headers: { accept: "application/vnd.assay.program+json" } }),
  parse: parseProgram,
  bootstrap: "a program, which toProgram makes of definitions",
  isVersioned: true,
} satisfies Partial<LoadingParts<Program>>;

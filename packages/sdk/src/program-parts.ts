import { NO_PROGRAM, type Program, parseProgram } from "@assay/core";
import type { LoadingParts } from "./loader.ts";

/** What a loader of programs is put together from, but for an engine. */
export const programParts = {
  none: NO_PROGRAM,
  ask: () => ({ path: "/openfeature/flags", headers: { accept: "application/vnd.assay.program+json" } }),
  parse: parseProgram,
  bootstrap: "a program, which toProgram makes of definitions",
  isVersioned: true,
} satisfies Partial<LoadingParts<Program>>;

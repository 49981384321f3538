import { NO_PROGRAM, type Program, parseProgram } from "@assay/core";
import type { Format } from "./format.ts";

/** The format of programs, without an engine. */
export const programFormat = {
  empty: NO_PROGRAM,
  toRequest: () => ({ path: "/openfeature/flags", headers: { accept: "application/vnd.assay.program+json" } }),
  parse: parseProgram,
  bootstrap: "a program of toProgram",
} satisfies Partial<Format<Program>>;

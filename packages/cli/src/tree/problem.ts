/** Something in a file that is not valid. */
export interface FileProblem {
  file: string;
  /** From 1. */
  line: number;
  /** Names from the whole inwards, such as `["rules", 0, "when"]`; empty for the whole. */
  path: readonly (string | number)[];
  message: string;
}

/** Returns a problem in the form of compilers, which editors open at its line. */
export function describeProblem({ file, line, path, message }: FileProblem): string {
  return `${file}:${line}: ${path.length > 0 ? `${path.join(".")}: ` : ""}${message}`;
}

import type { Flags } from "./flags.ts";

/** Prints data as JSON with `--json`, or else as text. */
export function print(flags: Flags, data: unknown, toText: () => string): void {
  console.log(flags.has("json") ? JSON.stringify(data, null, 2) : toText());
}

/** Formats rows in columns aligned left under a header. */
export function toColumns(header: string[], rows: (string | number | null)[][]): string {
  const cells = [header, ...rows.map((row) => row.map((cell) => (cell === null || cell === "" ? "-" : String(cell))))];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

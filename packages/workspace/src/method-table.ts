import type { Operation } from "./operation.ts";

/** Writes the table from operation id to route key that `@assay/client/methods` uses. */
export function toMethodTable(operations: Operation[]): string {
  const areas = new Map<string, string[]>();
  for (const { operationId, key, summary } of operations) {
    const [area, method, ...rest] = operationId.split(".");
    if (!area || !method || rest.length > 0) throw new Error(`${operationId} is not of the form area.method`);
    const lines = areas.get(area) ?? [];
    areas.set(area, lines);
    lines.push(`    /** ${summary} */`, `    ${method}: ${JSON.stringify(key)},`);
  }
  const body = [...areas].map(([area, lines]) => `  ${area}: {\n${lines.join("\n")}\n  },`);
  return `export const methods = {\n${body.join("\n")}\n} as const;\n`;
}

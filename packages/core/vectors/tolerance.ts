/** A tolerance as in the vector files: numbers for all fields, objects for one field. */
export type Tolerance = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function numberAt(tolerance: Tolerance, name: string): number | undefined {
  const value = tolerance[name];
  return typeof value === "number" ? value : undefined;
}

function agrees(expected: number, actual: number, field: string, tolerance: Tolerance): boolean {
  const own = tolerance[field];
  const limits = isObject(own) ? own : tolerance;
  if (expected > (numberAt(limits, "ignore_if_z_gt") ?? Number.POSITIVE_INFINITY)) return true;
  const isP = field.includes("p_value");
  const rel = (isP ? numberAt(limits, "rel_p") : undefined) ?? numberAt(limits, "rel") ?? 0;
  const abs = (expected > 5 ? numberAt(limits, "abs_if_z_gt_5") : undefined) ?? numberAt(limits, "abs") ?? 0;
  return Math.abs(actual - expected) <= abs + rel * Math.abs(expected);
}

/** Returns the paths at which `actual` differs from `expected` by more than the tolerance, with both values. */
export function disagreements(expected: unknown, actual: unknown, tolerance: Tolerance, field = ""): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return [`${field}: another length`];
    return expected.flatMap((item, i) => disagreements(item, actual[i], tolerance, field));
  }
  if (isObject(expected)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      disagreements(value, isObject(actual) ? actual[name] : undefined, tolerance, name),
    );
  }
  const same =
    typeof expected === "number" && typeof actual === "number"
      ? agrees(expected, actual, field, tolerance)
      : expected === actual;
  return same ? [] : [`${field}: expected ${String(expected)}, got ${String(actual)}`];
}

/** Fields whose numbers are probabilities. */
const PROBABILITY = /p_value$|probability|^power$|^adjusted_p/;
/** Fields whose values are `[lower, upper]`. */
const INTERVAL = /interval$|^hdi$/;

/** Lists the problems of an answer as paths with values: impossible numbers, and missing numbers without a reason. */
export function problemsOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((part, index) => problemsOf(part, `${path}[${index}]`));
  if (typeof value === "number" && !Number.isFinite(value)) return [`${path} is ${value}`];
  if (value === null || typeof value !== "object") return [];
  const fields = value as Record<string, unknown>;
  const own = Object.entries(fields).flatMap(([key, part]) => fieldProblems(key, part));
  const found = [...own, ...rowProblems(fields)].map((problem) => `${path}: ${problem}`);
  return [...found, ...Object.entries(fields).flatMap(([key, part]) => problemsOf(part, `${path}.${key}`))];
}

function fieldProblems(key: string, value: unknown): string[] {
  if (value === null) return [];
  if (PROBABILITY.test(key) && typeof value === "number" && !(value >= 0 && value <= 1)) return [`${key} is ${value}`];
  if (key.endsWith("standard_error") && typeof value === "number" && value < 0) return [`${key} is ${value}`];
  if (INTERVAL.test(key) && Array.isArray(value)) {
    const [lower, upper] = value as number[];
    if (!(lower! <= upper!)) return [`${key} is [${lower}, ${upper}]`];
  }
  return [];
}

/** Pairs of an estimate and its interval at one look. The interval must contain the estimate. */
const PAIRS = [
  ["difference", "confidence_interval"],
  ["relative_difference", "relative_confidence_interval"],
  ["adjusted_difference", "confidence_interval"],
] as const;

function rowProblems(row: Record<string, unknown>): string[] {
  // An interval over several looks is their intersection, so the last estimate may lie outside.
  const isOneLook = !("looks" in row) && !("n" in row && "date" in row);
  const outside = PAIRS.flatMap(([estimate, interval]) => {
    const [value, ends] = [row[estimate], row[interval]];
    if (!isOneLook || typeof value !== "number" || !Array.isArray(ends)) return [];
    if (estimate === "difference" && "adjusted_difference" in row) return [];
    const [lower, upper] = ends as [number, number];
    const slack = 1e-9 * Math.max(Math.abs(lower), Math.abs(upper));
    return value >= lower - slack && value <= upper + slack ? [] : [`${estimate} ${value} outside of ${ends}`];
  });
  const isUnsaid = row.status === "OK" && (row.standard_error === null || row.p_value === null);
  const isUnfounded = row.is_significant === true && (row.p_value === null || row.standard_error === null);
  return [
    ...outside,
    ...(isUnsaid ? [`status OK with p ${row.p_value} and standard error ${row.standard_error}`] : []),
    ...(isUnfounded ? ["significant without a p-value or a standard error"] : []),
  ];
}

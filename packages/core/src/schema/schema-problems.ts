import { KEYWORDS } from "./keyword.ts";
import {
  decodePointer,
  isObject,
  type JsonSchema,
  listSchemas,
  MAX_SCHEMA_DEPTH,
  MAX_SCHEMA_LENGTH,
  type SchemaProblem,
  subschemasOf,
} from "./schema.ts";

const MAX_PROBLEMS = 100;

/** Returns what is wrong with a schema, at most 100 problems. A schema without problems works with a validator. */
export function findSchemaProblems(root: unknown): SchemaProblem[] {
  if (!isObject(root)) return [{ path: [], message: "Expected a JSON Schema, which is an object" }];
  const problems: SchemaProblem[] = [];
  const report = (path: SchemaProblem["path"], message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ path, message });
  };
  const visit = (schema: unknown, path: SchemaProblem["path"], depth: number) => {
    if (depth > MAX_SCHEMA_DEPTH) return report([], `Schemas are nested more than ${MAX_SCHEMA_DEPTH} deep`);
    for (const { path: place, message } of problemsOf(schema, path.length === 0)) report([...path, ...place], message);
    for (const one of subschemasOf(schema)) visit(one.schema, [...path, ...one.path], depth + 1);
  };
  visit(root, [], 0);
  if (problems.length === 0 && JSON.stringify(root).length > MAX_SCHEMA_LENGTH) {
    report([], `A schema has at most ${MAX_SCHEMA_LENGTH} characters as JSON`);
  }
  if (problems.length === 0) findReferenceProblems(root as JsonSchema, report);
  return problems;
}

function problemsOf(schema: unknown, isRoot: boolean): SchemaProblem[] {
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const shape = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword]! : undefined;
    const message = shape ? shape(value) : `Unknown keyword ${JSON.stringify(keyword.slice(0, 100))}`;
    const misplaced = keyword === "$id" && !isRoot ? "Only the whole schema has an $id" : undefined;
    return (message ?? misplaced) ? [{ path: [keyword], message: (message ?? misplaced)! }] : [];
  });
}

/** Reports references to nothing, and those that lead back to where they began without going into the value. */
function findReferenceProblems(root: JsonSchema, report: (path: SchemaProblem["path"], message: string) => void): void {
  const schemas = listSchemas(root);
  /** How many schemas apply to the same value, one within or by way of the other. */
  const heights = new Map<JsonSchema, number>();
  const open = new Set<JsonSchema>();

  function heightOf(schema: JsonSchema, depth: number): number {
    if (typeof schema === "boolean") return 0;
    const known = heights.get(schema);
    if (known !== undefined) return known;
    // A longer chain ends here, and is reported.
    if (open.has(schema) || depth > MAX_SCHEMA_DEPTH) return Number.POSITIVE_INFINITY;
    open.add(schema);
    const within = subschemasOf(schema).filter(({ isOfSameValue }) => isOfSameValue);
    const next = within.map((one) => one.schema as JsonSchema);
    const target = schemas.get(decodePointer(String(schema.$ref)));
    if (target !== undefined) next.push(target);
    const height = 1 + Math.max(0, ...next.map((one) => heightOf(one, depth + 1)));
    open.delete(schema);
    heights.set(schema, height);
    return height;
  }

  const visit = (schema: unknown, path: SchemaProblem["path"]) => {
    if (isObject(schema) && schema.$ref !== undefined) {
      const place = [...path, "$ref"];
      if (!schemas.has(decodePointer(String(schema.$ref)))) report(place, "There is no such schema in this one");
      else if (heightOf(schema as JsonSchema, 0) > MAX_SCHEMA_DEPTH) {
        report(place, `Leads back to itself, or through more than ${MAX_SCHEMA_DEPTH} schemas of the same value`);
      }
    }
    for (const one of subschemasOf(schema)) visit(one.schema, [...path, ...one.path]);
  };
  visit(root, []);
}

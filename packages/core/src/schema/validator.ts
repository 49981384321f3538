import type { JsonValue } from "../format/definition.ts";
import { COMBINATION_RULES } from "./combination-rules.ts";
import { SCALAR_RULES } from "./scalar-rules.ts";
import { decodePointer, type JsonSchema, listSchemas, type SchemaProblem } from "./schema.ts";
import { STRUCTURE_RULES } from "./structure-rules.ts";
import { type Check, type Compile, type Run, report } from "./value-check.ts";
import { createWork, TooMuchWork, VISIT, type Work } from "./work.ts";

const RULES = { ...SCALAR_RULES, ...STRUCTURE_RULES, ...COMBINATION_RULES };
/** The one schema that no value matches. */
const NOTHING: Check = (_value, place, run) => report(run, place, "No value is allowed here");

/**
 * Creates a function that returns what is wrong with a value; an empty list for a valid one. It generates no code, and takes
 * bounded time for every value: patterns are linear, and other work is counted.
 *
 * @param root a schema in which `findSchemaProblems` finds nothing
 */
export function createValidator(root: JsonSchema): (value: JsonValue, work?: Work) => SchemaProblem[] {
  const schemas = listSchemas(root);
  const compiled = new Map<JsonSchema, Check>();
  const compile: Compile = {
    schema(schema) {
      if (schema === true) return () => {};
      if (schema === false) return NOTHING;
      const known = compiled.get(schema);
      if (known) return known;
      const checks = Object.entries(schema).flatMap(([keyword, operand]) => {
        const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword as keyof typeof RULES] : undefined;
        return rule ? [rule(operand as never, compile, schema)] : [];
      });
      const check: Check = (value, place, run) => {
        run.work.enter();
        run.work.spend(VISIT);
        for (const one of checks) one(value, place, run);
        run.work.leave();
      };
      compiled.set(schema, check);
      return check;
    },
    // Compiled on first use: a schema may contain references to itself.
    reference(pointer) {
      const target = schemas.get(decodePointer(pointer)) ?? true;
      return (value, place, run) => compile.schema(target)(value, place, run);
    },
  };
  const whole = compile.schema(root);
  return (value, work = createWork()) => {
    const run: Run = { problems: [], work };
    try {
      whole(value, null, run);
      return run.problems;
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error;
      return [{ path: [], message: `${error.message}; simplify the schema or the value` }];
    }
  };
}

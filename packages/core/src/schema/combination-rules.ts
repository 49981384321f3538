import type { JsonValue } from "../format/definition.ts";
import type { JsonSchema, SchemaProblem } from "./schema.ts";
import { attempt, type Check, type Compile, MAX_REPORTED, type Place, type Run, report } from "./value-check.ts";

type Rule = (operand: never, compile: Compile, around: Record<string, JsonValue>) => Check;

export const COMBINATION_RULES: Readonly<Record<string, Rule>> = {
  $ref: (pointer: string, compile) => compile.reference(pointer),
  allOf: (operand: JsonSchema[], compile) => {
    const checks = operand.map(compile.schema);
    return (value, place, run) => {
      for (const check of checks) check(value, place, run);
    };
  },
  anyOf: (operand: JsonSchema[], compile) => {
    const checks = operand.map(compile.schema);
    return (value, place, run) => {
      const misses: SchemaProblem[][] = [];
      for (const check of checks) {
        const problems = attempt(check, value, place, run);
        if (problems.length === 0) return;
        misses.push(problems);
      }
      explain(misses, place, run, () => report(run, place, `Must match one of ${checks.length} alternatives`));
    };
  },
  oneOf: (operand: JsonSchema[], compile) => {
    const checks = operand.map(compile.schema);
    return (value, place, run) => {
      const tries = checks.map((check) => attempt(check, value, place, run));
      const matching = tries.filter(({ length }) => length === 0).length;
      if (matching === 1) return;
      const say = () => report(run, place, `Must match exactly one of ${checks.length} alternatives, not ${matching}`);
      if (matching > 1) say();
      else explain(tries, place, run, say);
    };
  },
  not: (operand: JsonSchema, compile) => {
    const check = compile.schema(operand);
    return (value, place, run) => {
      if (attempt(check, value, place, run).length === 0) report(run, place, "Must not match the schema in not");
    };
  },
  if: (operand: JsonSchema, compile, around) => {
    const condition = compile.schema(operand);
    const met = compile.schema((around.then ?? true) as JsonSchema);
    const unmet = compile.schema((around.else ?? true) as JsonSchema);
    return (value, place, run) => (attempt(condition, value, place, run).length === 0 ? met : unmet)(value, place, run);
  },
};

/** Reports the problems of the alternative that was probably meant: the only one of which the value has the type. */
function explain(misses: readonly SchemaProblem[][], place: Place, run: Run, otherwise: () => void): void {
  let depth = 0;
  for (let one = place; one; one = one.around) depth += 1;
  const meant = misses.length === 1 ? misses : misses.filter((all) => all.every(({ path }) => path.length > depth));
  if (meant.length === 1) run.problems.push(...meant[0]!.slice(0, MAX_REPORTED - run.problems.length));
  else otherwise();
}

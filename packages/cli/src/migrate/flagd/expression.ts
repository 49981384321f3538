import { requireAttribute } from "../mapping/key.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";

/** An operation of JsonLogic, and its arguments. */
export interface Operation {
  name: string;
  args: unknown[];
}

/** The deepest nesting of expressions. */
const DEPTH = 50;

/** Returns the operation of an expression; null for a constant. @throws {NoCounterpart} */
export function toOperation(expression: unknown): Operation | null {
  if (typeof expression !== "object" || expression === null || Array.isArray(expression)) return null;
  const [[name, args] = ["", []], ...others] = Object.entries(expression);
  if (name === "" || others.length > 0) return noCounterpart("An expression has not exactly one operation");
  return { name, args: Array.isArray(args) ? args : [args] };
}

/** Replaces the references to shared evaluators. @throws {NoCounterpart} for one that is missing or refers to itself */
export function resolveReferences(expression: unknown, evaluators: ReadonlyMap<string, unknown>, depth = 0): unknown {
  if (depth > DEPTH) return noCounterpart("Its evaluators are nested too deep");
  if (typeof expression !== "object" || expression === null) return expression;
  const resolve = (one: unknown) => resolveReferences(one, evaluators, depth + 1);
  if (Array.isArray(expression)) return expression.map(resolve);
  const { $ref } = expression as { $ref?: unknown };
  if (typeof $ref === "string")
    return evaluators.has($ref)
      ? resolve(evaluators.get($ref))
      : noCounterpart(`The evaluator ${$ref} is not in the source`);
  return Object.fromEntries(Object.entries(expression).map(([name, one]) => [name, resolve(one)]));
}

/** Returns the attribute that an expression reads; null if it is another expression. @throws {NoCounterpart} */
export function toAttribute(expression: unknown): string | null {
  const operation = toOperation(expression);
  if (operation?.name !== "var") return null;
  const [name, fallback] = operation.args;
  if (typeof name !== "string" || fallback !== undefined) return noCounterpart("A variable has a default, or no name");
  if (name === "targetingKey") return "user_id";
  if (name.startsWith("$flagd.")) return noCounterpart(`A comparison with ${name}`);
  if (name.includes(".")) return noCounterpart(`The attribute ${name} is inside another one`);
  return requireAttribute(name);
}

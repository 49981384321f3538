import * as z from "zod";

interface ChoiceOptions {
  /** Returns the index of the alternative that validates the value. */
  pick: (value: unknown) => number;
  /** Returns the message for a value that no alternative accepts; null if there may be one. */
  refuse?: (value: unknown) => string | null;
}

type ChoiceDef = z.core.$ZodUnionDef<readonly z.core.$ZodType[]> & ChoiceOptions;

const Choice = z.core.$constructor<z.ZodUnion, ChoiceDef>("Choice", (inst, def) => {
  z.ZodUnion.init(inst, def);
  inst._zod.parse = (payload, context) => {
    const message = def.refuse?.(payload.value) ?? null;
    if (message === null) return def.options[def.pick(payload.value)]!._zod.run(payload, context);
    payload.issues.push({ code: "custom", message, input: payload.value, inst });
    return payload;
  };
});

/**
 * Creates the schema of a union whose alternative the value selects. A zod union tries every alternative and keeps the
 * issues of each, which takes far longer for invalid values.
 */
export function choice<const T extends readonly z.core.$ZodType[]>(
  options: T,
  { pick, refuse }: ChoiceOptions,
): z.ZodUnion<T> {
  return new Choice({ type: "union", options, pick, ...(refuse ? { refuse } : {}) }) as unknown as z.ZodUnion<T>;
}

/** Returns the alternative that a {@link choice} selects; null if the schema is not a choice. */
export function chosen(schema: z.core.$ZodType, value: unknown): z.core.$ZodType | null {
  const { options, pick } = schema._zod.def as Partial<ChoiceDef>;
  return options && pick ? options[pick(value)]! : null;
}

/** Creates a schema for one value or a list of them. */
export function oneOrMore<One extends z.ZodType, List extends z.ZodType>(
  one: One,
  list: List,
): z.ZodUnion<[One, List]> {
  return choice([one, list], { pick: (value) => (Array.isArray(value) ? 1 : 0) });
}

/** Returns whether a value is an object with this key as its own property. */
export function hasKey<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

import * as z from "zod";

interface ChoiceOptions {
  /** Returns the index of the one alternative to try, for any value. */
  pick: (value: unknown) => number;
  /** Returns why a value is rejected before any alternative is tried; null if it is not. */
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
 * A union that tries one alternative only, which the value selects. A zod union tries every alternative and keeps the
 * issues of each, which takes far longer for values that fit none.
 */
export function choice<const T extends readonly z.core.$ZodType[]>(
  options: T,
  { pick, refuse }: ChoiceOptions,
): z.ZodUnion<T> {
  return new Choice({ type: "union", options, pick, ...(refuse ? { refuse } : {}) }) as unknown as z.ZodUnion<T>;
}

/** The alternative that a {@link choice} would try; null if the schema is not a choice. */
export function chosen(schema: z.core.$ZodType, value: unknown): z.core.$ZodType | null {
  const { options, pick } = schema._zod.def as Partial<ChoiceDef>;
  return options && pick ? options[pick(value)]! : null;
}

/** One value or a list of them. */
export function oneOrMore<One extends z.ZodType, List extends z.ZodType>(
  one: One,
  list: List,
): z.ZodUnion<[One, List]> {
  return choice([one, list], { pick: (value) => (Array.isArray(value) ? 1 : 0) });
}

/** Whether a value is an object with this own key. */
export function hasKey<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

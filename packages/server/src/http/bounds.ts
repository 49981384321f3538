import { chosen } from "@assay/contract";
import type * as z from "zod";

type RawIssue = z.core.$ZodRawIssue;
/** Returns an issue for the first list in a value that is longer than its schema allows, or null if there is none. */
type Bound = (value: unknown) => RawIssue | null;

const bounds = new WeakMap<z.core.$ZodType, Bound | null>();

/**
 * Finds a list or tree that is larger than its schema allows, before parsing anything in it. Zod parses every element
 * of a list before it counts them.
 */
export function excessOf(schema: z.core.$ZodType, value: unknown): RawIssue | null {
  return boundOf(schema)?.(value) ?? null;
}

/** Returns the bound of a schema, or null if it bounds no list. Most values therefore need no walk. */
function boundOf(schema: z.core.$ZodType): Bound | null {
  let bound = bounds.get(schema);
  if (bound === undefined) {
    // A recursive schema is bounded once its own bound is known.
    bounds.set(schema, (value) => bounds.get(schema)?.(value) ?? null);
    bound = toBound(schema);
    bounds.set(schema, bound);
  }
  return bound;
}

function toBound(schema: z.core.$ZodType): Bound | null {
  const def = schema._zod.def as z.core.$ZodTypeDef & Partial<Parts>;
  switch (def.type) {
    case "object":
      return boundObject(def.shape!);
    case "record":
      return boundRecord(def.valueType!);
    case "array":
      return boundArray(schema, def.element!);
    case "optional":
    case "nullable":
    case "default":
      return boundOf(def.innerType!);
    case "pipe":
      return boundOf(def.in!);
    case "union":
      return boundChoice(schema, def);
    default:
      return null;
  }
}

function boundObject(shape: Parts["shape"]): Bound | null {
  const bounded = Object.entries(shape).flatMap(([key, field]) => {
    const bound = boundOf(field);
    return bound ? [{ key, bound }] : [];
  });
  if (bounded.length === 0) return null;
  return (value) => {
    if (!isObject(value)) return null;
    for (const { key, bound } of bounded) {
      const found = Object.hasOwn(value, key) ? bound(value[key]) : null;
      if (found) return within(key, found);
    }
    return null;
  };
}

function boundRecord(valueType: z.core.$ZodType): Bound | null {
  const bound = boundOf(valueType);
  if (!bound) return null;
  return (value) => {
    if (!isObject(value)) return null;
    for (const key of Object.keys(value)) {
      const found = bound(value[key]);
      if (found) return within(key, found);
    }
    return null;
  };
}

function boundArray(schema: z.core.$ZodType, element: z.core.$ZodType): Bound | null {
  const inner = boundOf(element);
  const { maximum = Number.POSITIVE_INFINITY } = schema._zod.bag as { maximum?: number };
  if (!inner && maximum === Number.POSITIVE_INFINITY) return null;
  return (value) => {
    if (!Array.isArray(value)) return null;
    if (value.length > maximum) {
      return { code: "too_big", origin: "array", maximum, inclusive: true, input: value, inst: schema, path: [] };
    }
    if (!inner) return null;
    for (const [index, item] of value.entries()) {
      const found = inner(item);
      if (found) return within(index, found);
    }
    return null;
  };
}

/** Returns null for a plain union, because nothing is known about it before parsing. */
function boundChoice(schema: z.core.$ZodType, { pick, refuse }: Partial<Parts>): Bound | null {
  if (refuse) {
    return (value) => {
      const message = refuse(value);
      return message === null ? null : { code: "custom", message, input: value, inst: schema, path: [] };
    };
  }
  return pick
    ? (value) => {
        const alternative = chosen(schema, value);
        return alternative && excessOf(alternative, value);
      }
    : null;
}

function within(key: string | number, issue: RawIssue): RawIssue {
  return { ...issue, path: [key, ...(issue.path ?? [])] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parts of schemas that contain others. */
interface Parts {
  shape: Record<string, z.core.$ZodType>;
  valueType: z.core.$ZodType;
  element: z.core.$ZodType;
  innerType: z.core.$ZodType;
  in: z.core.$ZodType;
  pick: (value: unknown) => number;
  refuse: (value: unknown) => string | null;
}

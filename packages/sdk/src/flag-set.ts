import {
  createEngine,
  type Definitions,
  type Engine,
  type EngineOptions,
  type FlagDefinition,
  type JsonValue,
} from "@assay/core";
import { NO_DEFINITIONS } from "./definition-format.ts";

/**
 * A test flag: the value for everyone, `{ value }` if that is an object or a list, or a definition. Missing fields
 * default to a new flag that is on for everyone.
 */
export type FlagInTest = boolean | number | string | { value: JsonValue } | Partial<Omit<FlagDefinition, "key">>;

/** In-memory flags with an engine, evaluated like all other flags. */
export interface FlagSet {
  readonly engine: Engine;
  /** Adds or replaces a flag; the engine notifies its listeners of changed flags. */
  set(key: string, flag: FlagInTest): void;
  remove(key: string): void;
}

/** Creates in-memory flags for tests. @param rest segments, experiments and other definitions that a test needs */
export function createFlagSet(
  flags: Readonly<Record<string, FlagInTest>> = {},
  rest: Partial<Omit<Definitions, "flags">> = {},
  options: EngineOptions = {},
): FlagSet {
  const byKey = new Map(Object.entries(flags).map(([key, flag]) => [key, toFlagDefinition(key, flag, 1)]));
  const toDefinitions = (): Definitions => ({ ...NO_DEFINITIONS, ...rest, flags: [...byKey.values()] });
  const engine = createEngine(toDefinitions(), options);
  return {
    engine,
    set(key, flag) {
      byKey.set(key, toFlagDefinition(key, flag, (byKey.get(key)?.version ?? 0) + 1));
      engine.update(toDefinitions());
    },
    remove(key) {
      byKey.delete(key);
      engine.update(toDefinitions());
    },
  };
}

function toFlagDefinition(key: string, flag: FlagInTest, version: number): FlagDefinition {
  const plain = { key, enabled: true, rollout_percentage: 100, variants: [], rules: [], version };
  const value = typeof flag !== "object" ? flag : "value" in flag ? flag.value : undefined;
  if (value === undefined) return { ...plain, ...(flag as Partial<FlagDefinition>) };
  // Switches the flag as an administrator would: a boolean flag by its rollout, another flag by its one variant.
  if (typeof value === "boolean") return { ...plain, value_type: "BOOLEAN", rollout_percentage: value ? 100 : 0 };
  const value_type = typeof value === "string" ? "STRING" : typeof value === "number" ? "NUMBER" : "OBJECT";
  return { ...plain, value_type, variants: [{ key: "on", weight: 1, value }] };
}

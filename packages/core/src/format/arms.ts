import type { FlagDefinition, FlagVariant } from "./definition.ts";

/** A flag definition, or a flag's program. */
type Armed<V> = Pick<FlagDefinition, "value_type" | "default_value"> & { variants: V[] };

/** Returns whether a flag is a boolean flag without listed variants, which has `on` and `off`. */
export function isPlainBoolean(definition: Armed<unknown> | null | undefined): boolean {
  const variants = definition?.variants ?? [];
  return Array.isArray(variants) && variants.length === 0 && (definition?.value_type ?? "BOOLEAN") === "BOOLEAN";
}

/** Returns the variants of a flag; those of a boolean flag without listed variants are `on` and `off`. */
export function toArms<V extends Pick<FlagVariant, "key" | "value">>(flag: Armed<V>): (V | FlagVariant)[] {
  if (!isPlainBoolean(flag)) return flag.variants;
  return [
    { key: "on", weight: 1, value: true },
    { key: "off", weight: 0, value: flag.default_value ?? false },
  ];
}

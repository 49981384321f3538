import { requireOption } from "@assay/core/definitions";

/** Checks options that are one of a few words, or a function where none is named. @throws OptionError */
export function checkOptions(options: Record<string, unknown>, words: Record<string, readonly unknown[]>): void {
  for (const [option, allowed] of Object.entries(words)) {
    const value = options[option];
    const isGood = value === undefined || (allowed.length > 0 ? allowed.includes(value) : typeof value === "function");
    requireOption(isGood, option, allowed.join(" or ") || "a function");
  }
}

/** Checks the option `overrides`. @throws OptionError */
export function checkOverrides(overrides: unknown): void {
  requireOption(overrides === undefined || Object(overrides).read, "overrides", "from createOverrides");
}

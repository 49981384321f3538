import { FlagdCore } from "@openfeature/flagd-core";
import { migrated } from "../mapping/equality.fixture.ts";
import { readFlagd } from "./read.ts";

export type Fields = Record<string, unknown>;
export type User = Fields & { targetingKey?: string };

export const DEFAULT = "the caller's default";

/** Reads a file of flags (https://flagd.dev/reference/flag-definitions/) into both engines. */
export function both(flags: Record<string, Fields>, $evaluators: Fields = {}) {
  const core = new FlagdCore();
  core.setConfigurations(JSON.stringify({ flags, $evaluators }));
  return {
    theirs: (key: string, user: User) => core.resolveStringEvaluation(key, DEFAULT, user as never).value,
    ours: migrated(readFlagd, { flags, $evaluators }),
  };
}

export const variants = { red: "red", green: "green", blue: "blue" };
export const flag = (targeting?: unknown, more: Fields = {}) => ({
  state: "ENABLED",
  variants,
  defaultVariant: "red",
  ...(targeting !== undefined && { targeting }),
  ...more,
});
export const attribute = (name: string) => ({ var: name });

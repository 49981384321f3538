import { createEngine, type FlagDefinition } from "@assay/core";
import { expect, test } from "vitest";
import { toDefinitions } from "./fake-server.fixture.ts";
import {
  createResolve,
  type ProviderErrorCode,
  type ProviderState,
  type ReasonMode,
  type ResolveOptions,
} from "./resolution.ts";

/** Distinct codes, recognisable in results. */
const codes: { [Name in ProviderErrorCode]: `sdk:${string}` } = {
  FLAG_NOT_FOUND: "sdk:FLAG_NOT_FOUND",
  TARGETING_KEY_MISSING: "sdk:TARGETING_KEY_MISSING",
  PARSE_ERROR: "sdk:PARSE_ERROR",
  TYPE_MISMATCH: "sdk:TYPE_MISMATCH",
  GENERAL: "sdk:GENERAL",
  PROVIDER_NOT_READY: "sdk:PROVIDER_NOT_READY",
  PROVIDER_FATAL: "sdk:PROVIDER_FATAL",
};

const germans: FlagDefinition["rules"] = [
  { id: "germans", when: { attribute: "country", operator: "EQUALS", value: "DE" }, serve: { variant: "on" } },
];
const engine = createEngine({
  ...toDefinitions(
    { key: "plain", version: 3 },
    { key: "half", rollout_percentage: 50 },
    { key: "owned", version: 2, metadata: { team: "checkout", cost: 1.5, live: false, version: 9, cacheReason: "x" } },
    { key: "ruled", rules: germans },
    { key: "blocked", targeting_rules: { countries: ["DE"] } },
    { key: "off", enabled: false },
    { key: "dependent", prerequisites: [{ flag_key: "off" }] },
    { key: "broken", rollout_percentage: 120 },
    { key: "text", value_type: "STRING", variants: [{ key: "a", weight: 1, value: "hello" }] },
  ),
  flag_set_id: "staging",
});

function ask(
  flagKey: string,
  reasons: ReasonMode,
  state: ProviderState,
  options: Partial<ResolveOptions<string>> = {},
) {
  const resolve = createResolve<string>(engine, { codes, reasons, ...options });
  return resolve(flagKey, true, { targetingKey: "ada", country: "DE" }, "boolean", state);
}

test.each<[string, string]>([
  ["plain", "STATIC"],
  ["half", "SPLIT"],
  ["ruled", "TARGETING_MATCH"],
  ["blocked", "TARGETING_MATCH"],
  ["off", "DISABLED"],
  ["dependent", "DEFAULT"],
])("the flag %s: both axes are in the metadata, and either can be the reason", (flag, evaluated) => {
  for (const state of ["CACHED", "STATIC"] as const) {
    const bySpecification = ask(flag, "specification", state);
    expect(bySpecification.reason).toBe(state);
    const byEvaluation = ask(flag, "evaluation", state);
    expect(byEvaluation.reason).toBe(evaluated);
    expect(byEvaluation.flagMetadata).toEqual(bySpecification.flagMetadata);
    expect(byEvaluation.flagMetadata).toMatchObject({
      cacheReason: state,
      evaluationReason: flag === "dependent" ? "PREREQUISITE_FAILED" : evaluated,
      flagSetId: "staging",
    });
  }
});

test("the metadata of a flag's authors is beside the provider's own, which it cannot replace", () => {
  const own = { team: "checkout", cost: 1.5, live: false };
  const metadata = { ...own, cacheReason: "CACHED", evaluationReason: "STATIC", version: 2, flagSetId: "staging" };
  expect(ask("owned", "evaluation", "CACHED").flagMetadata).toEqual(metadata);
  expect(ask("plain", "evaluation", "CACHED").flagMetadata).not.toHaveProperty("team");
});

test("the reason of definitions that cannot be renewed is STALE, or STATIC by the specification", () => {
  expect(ask("plain", "evaluation", "STALE").reason).toBe("STALE");
  expect(ask("plain", "specification", "STALE")).toMatchObject({
    reason: "STATIC",
    flagMetadata: { cacheReason: "STATIC", evaluationReason: "STATIC", version: 3 },
  });
});

test.each<[string, ProviderState, ProviderErrorCode]>([
  ["missing", "CACHED", "FLAG_NOT_FOUND"],
  ["text", "CACHED", "TYPE_MISMATCH"],
  ["broken", "CACHED", "PARSE_ERROR"],
  ["plain", "NOT_READY", "PROVIDER_NOT_READY"],
  ["plain", "FATAL", "PROVIDER_FATAL"],
])("the flag %s while %s: the caller's default with the SDK's own code for %s", (flag, state, code) => {
  const failure = { value: true, errorCode: `sdk:${code}`, errorMessage: expect.any(String) };
  expect(ask(flag, "evaluation", state)).toMatchObject({ ...failure, reason: "ERROR" });
  const reason = code === "FLAG_NOT_FOUND" ? "DEFAULT" : "ERROR";
  expect(ask(flag, "specification", state)).toMatchObject({
    ...failure,
    reason,
    flagMetadata: { cacheReason: reason },
  });
});

test("a missing targeting key is an error only for flags that draw", () => {
  const resolve = createResolve(engine, { codes });
  expect(resolve("half", false, {}, "boolean", "CACHED").errorCode).toBe("sdk:TARGETING_KEY_MISSING");
  expect(resolve("plain", false, {}, "boolean", "CACHED")).toMatchObject({ value: true, reason: "CACHED" });
});

test("flagSetId is the option of the provider, or else that of the current definitions", () => {
  expect(ask("plain", "evaluation", "CACHED", { flagSetId: "mine" }).flagMetadata.flagSetId).toBe("mine");
  const changing = createEngine({ ...toDefinitions({}), flag_set_id: "staging" });
  const resolve = createResolve(changing, { codes });
  const setOf = () => resolve("f", false, {}, "boolean", "CACHED").flagMetadata.flagSetId;
  expect(setOf()).toBe("staging");
  changing.update({ ...changing.definitions, flag_set_id: "production" });
  expect(setOf()).toBe("production");
});

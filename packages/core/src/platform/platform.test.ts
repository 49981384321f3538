import { expect, inject, test } from "vitest";
import * as built from "#platform";
import { toProgram } from "../compiler/lowered-definitions.ts";
import { createEngine } from "../engine/engine.ts";
import { createProgramEngine } from "../engine/program-engine.ts";
import type { FlagDefinition } from "../format/definition.ts";
import * as browser from "./browser.ts";
import * as server from "./server.ts";
import * as worker from "./worker.ts";

const platforms = { node: server, worker, browser };

declare module "vitest" {
  interface ProvidedContext {
    platform: keyof typeof platforms;
  }
}

test("the tests run the build for this platform", () => {
  expect({ ...built }).toEqual({ ...platforms[inject("platform")] });
});

test("all builds have the same exports", () => {
  for (const platform of [worker, browser]) expect(Object.keys(platform)).toEqual(Object.keys(server));
});

test("definitions explain answers, and programs give the same answers", () => {
  const flag: FlagDefinition = { key: "flag", enabled: true, rollout_percentage: 50, variants: [], rules: [] };
  const none = { segments: [], groups: [], holdout: null, experiments: [] };
  const definitions = { schema_version: 1, flags: [flag], ...none };
  const context = { targetingKey: "ada" };
  const { trace, ...answer } = createEngine(definitions).evaluate("flag", context, null, { trace: true });
  expect(trace).toHaveLength(2);
  const program = createProgramEngine(toProgram(definitions));
  expect(program.evaluate("flag", context, null)).toEqual(answer);
});

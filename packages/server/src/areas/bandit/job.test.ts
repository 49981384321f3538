import { bucket } from "@assay/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRuntime, silentLogger } from "../../ground/runtime.ts";
import { LeaseLost, SYSTEM } from "../../storage/change.ts";
import { ANALYST, BY, createTracking, HOUR } from "../tracking/tracking.fixture.ts";
import { createBanditUpdateJob } from "./job.ts";
import { createBanditService } from "./service.ts";

let world: Awaited<ReturnType<typeof createTracking>>;
beforeEach(async () => {
  world = await createTracking();
});
afterEach(() => world.close());

const METRICS = [
  { id: "bought", name: "Bought", event_type: "purchase", kind: "CONVERSION", direction: "INCREASE", role: "PRIMARY" },
] as const;

function service(warnings: unknown[] = []) {
  const logger = { ...silentLogger, warn: (message: string) => warnings.push(message) };
  const runtime = createRuntime({ now: () => world.clock.now, logger });
  return createBanditService({ runtime, experiments: world.experiments, analysis: world.analysis });
}

const run = (bandit = service(), abort = new AbortController(), fence = {}) =>
  createBanditUpdateJob({ bandit }).run({
    now: world.clock.now,
    signal: abort.signal,
    change: (action, reason) => ({ actor: SYSTEM, action, reason, ...fence }),
  });

/** A bandit with 300 users, those of the treatment buying more. */
async function addBandit(key: string, changes: object = {}): Promise<string> {
  const { id } = await world.addExperiment({ key, allocation: "THOMPSON", metrics: [...METRICS], ...changes });
  const events = Array.from({ length: 300 }, (_, index) => {
    const [user_id, variant_id] = [`${key}-${index}`, index % 2 ? "treatment" : "control"];
    const exposure = { event_type: "exposure", user_id, experiment_id: key, variant_id };
    const buys = bucket(user_id, "buys") < (index % 2 ? 0.6 : 0.2);
    return buys ? [exposure, { event_type: "purchase", user_id }] : [exposure];
  });
  await world.tracking.events(events.flat());
  world.clock.now += HOUR;
  return id;
}

const changesOf = (id: string) => world.experiments.require(id).weight_history ?? [];

describe("the job bandit-update", () => {
  test("updates the weights of every running bandit, and of no other experiment", async () => {
    const [one, two] = [await addBandit("one"), await addBandit("two", { allocation: "EPSILON_GREEDY" })];
    const fixed = await addBandit("fixed", { allocation: "FIXED" });
    const paused = await addBandit("paused", {});
    await world.move(paused, "PAUSED");
    await run();
    expect([one, two, fixed, paused].map((id) => changesOf(id).length)).toEqual([1, 1, 0, 0]);
    const [change] = changesOf(one);
    expect(change).toMatchObject({ source: "UPDATE", at: new Date(world.clock.now).toISOString() });
    expect(world.experiments.require(one).current_weights).toEqual(change!.weights);
  });

  test("applies once what two nodes compute at the same time, and nothing more on the next run", async () => {
    const id = await addBandit("one");
    await Promise.all([run(service()), run(service()), run(service())]);
    await run();
    expect(changesOf(id)).toHaveLength(1);
  });

  test.each([
    [2, 1],
    [3, 0],
  ])("computes again after each of %i changes of the experiment meanwhile", async (changes, applied) => {
    const id = await addBandit("one");
    const answer = world.analysis.answer;
    let made = 0;
    world.analysis.answer = async (subject, ...rest) => {
      const found = await answer(subject, ...rest);
      if (made++ < changes) await world.experiments.update(id, (record) => ({ ...record, name: `Name ${made}` }), BY);
      return found;
    };
    const warnings: unknown[] = [];
    await run(service(warnings));
    expect(changesOf(id)).toHaveLength(applied);
    expect(warnings).toEqual(applied ? [] : ["A bandit could not be updated"]);
    expect(world.experiments.require(id).name).toBe(`Name ${changes}`);
  });

  test("continues with the next experiment after a failure, and reports it", async () => {
    const [broken, sound] = [await addBandit("broken"), await addBandit("sound")];
    const answer = world.analysis.answer;
    world.analysis.answer = (subject, ...rest) =>
      subject.experimentId === broken ? Promise.reject(new Error("no thread")) : answer(subject, ...rest);
    const warnings: unknown[] = [];
    await run(service(warnings));
    expect([changesOf(broken).length, changesOf(sound).length]).toEqual([0, 1]);
    expect(warnings).toEqual(["A bandit could not be updated"]);
  });

  test("stops when the server closes, and when another node has taken the lease", async () => {
    const id = await addBandit("one");
    const abort = new AbortController();
    abort.abort();
    await run(service(), abort);
    expect(changesOf(id)).toEqual([]);
    await expect(run(service(), undefined, { fence: { lease: "jobs", token: 1 } })).rejects.toThrow(LeaseLost);
    expect(changesOf(id)).toEqual([]);
  });
});

test("the weights of an experiment change 1,000 times by hand", async () => {
  const id = await addBandit("one");
  const at = new Date(world.clock.now - HOUR).toISOString();
  const change = { at, weights: { control: 0.5, treatment: 0.5 }, source: "MANUAL" } as const;
  await world.experiments.update(id, (record) => ({ ...record, weight_history: new Array(999).fill(change) }), BY);
  const weights = { control: 0.4, treatment: 0.6 };
  await service().setWeights(id, weights, ANALYST, BY);
  expect(changesOf(id)).toHaveLength(1000);
  await expect(service().setWeights(id, weights, ANALYST, BY)).rejects.toMatchObject({
    status: 400,
    detail: "The weights have changed 1000 times; complete this experiment and start another",
  });
});

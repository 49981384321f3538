import { memoryStore, type Store } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { createRuntime, silentLogger } from "../../ground/runtime.ts";
import { SYSTEM } from "../../storage/change.ts";
import { createEtlService, type EtlService } from "./service.ts";
import type { EtlTask } from "./tasks/task.ts";

const UNKNOWN = "018f0000-0000-7000-8000-000000000001";
const BY = { actor: SYSTEM, action: "test" };
let audited: unknown[];
const trail = { record: async (entry: unknown) => void audited.push(entry), flush: async () => {} };

let store: Store;
let services: EtlService[];
let finish: () => void;
let finished: Promise<void>;
beforeEach(() => {
  store = memoryStore();
  services = [];
  audited = [];
  finished = new Promise((resolve) => {
    finish = resolve;
  });
});
afterEach(async () => {
  finish();
  for (const service of services) await service.close();
  await store.close();
});

/** The service of a node, whose only job does this. */
function nodeWith(run: EtlTask["run"]): EtlService {
  const task = { name: "job", description: "", parameters: z.strictObject({}), run };
  const service = createEtlService({ store, runtime: createRuntime({ logger: silentLogger }), trail, tasks: [task] });
  services.push(service);
  return service;
}

const begin = (service: EtlService) => service.run("job", {}, null, BY);

test("twenty runs wait at most, beside the one that runs", async () => {
  const service = nodeWith(() => finished);
  for (let started = 0; started < 21; started++) await begin(service);
  await expect(begin(service)).rejects.toMatchObject({
    status: 409,
    detail: "20 runs are already waiting; try again later",
  });
});

test("of 25 runs that are requested together, 21 are taken, and only these are in the audit trail", async () => {
  const service = nodeWith(() => finished);
  const outcomes = await Promise.allSettled(Array.from({ length: 25 }, () => begin(service)));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused.map(({ reason }) => reason.status)).toEqual([409, 409, 409, 409]);
  expect(audited).toHaveLength(21);
  // Each place is free again after its run.
  finish();
  await expect.poll(async () => (await service.jobs())[0]!.latest_runs[0]!.status).toBe("SUCCEEDED");
  await begin(service);
});

test("an unknown run or job is a 404", async () => {
  const service = nodeWith(() => finished);
  for (const asked of [
    service.get(UNKNOWN),
    service.logs(UNKNOWN),
    service.cancel(UNKNOWN, BY),
    service.run("no-job", {}, null, BY),
  ]) {
    await expect(asked).rejects.toMatchObject({ status: 404 });
  }
});

test("a run that has ended cannot be cancelled", async () => {
  const service = nodeWith(() => finished);
  const { run_id } = await begin(service);
  finish();
  await expect.poll(async () => (await service.get(run_id)).status).toBe("SUCCEEDED");
  await expect(service.cancel(run_id, BY)).rejects.toMatchObject({ status: 400 });
});

describe("another node", () => {
  test("sees the progress and the log of a run", async () => {
    const service = nodeWith(({ report, log }) => {
      report(5, 0.5);
      log("INFO", "Half of it");
      return finished;
    });
    const other = nodeWith(() => finished);
    const { run_id } = await begin(service);
    await expect
      .poll(() => other.get(run_id), { timeout: 10_000 })
      .toMatchObject({ status: "RUNNING", processed: 5, progress: 0.5 });
    expect((await other.logs(run_id)).items).toMatchObject([{ level: "INFO", message: "Half of it" }]);
  });

  test("cancels a run", async () => {
    const service = nodeWith(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const other = nodeWith(() => finished);
    const { run_id } = await begin(service);
    await expect.poll(async () => (await other.get(run_id)).status).toBe("RUNNING");
    await other.cancel(run_id, BY);
    await expect.poll(async () => (await other.get(run_id)).status, { timeout: 10_000 }).toBe("CANCELLED");
  });
});

import { expect, test } from "vitest";
import { createRuntime, silentLogger } from "../../ground/runtime.ts";
import type { ScheduleRecord } from "../../model/rollout-schedule.ts";
import { SYSTEM } from "../../storage/change.ts";
import { createProgress } from "./progress.ts";

const BY = { actor: SYSTEM, action: "rollout_schedule.pause" };

/** Creates the progress of one schedule, whose stored status may differ from the one that a caller has read. */
function progressOf(status: ScheduleRecord["status"]) {
  let stored = {
    id: "s",
    feature_flag_id: "gone",
    status,
    pause_reason: null,
    stages: [],
  } as unknown as ScheduleRecord;
  const update = async (_: string, change: (current: ScheduleRecord) => ScheduleRecord) => (stored = change(stored));
  const progress = createProgress({
    runtime: createRuntime({ logger: silentLogger }),
    schedules: { update } as never,
    featureFlags: { find: () => undefined } as never,
    analysis: {} as never,
  });
  return { progress, stored: () => stored };
}

test.each(["DRAFT", "PAUSED", "COMPLETED", "CANCELLED"] as const)(
  "a schedule that has become %s since it was read is not paused",
  async (status) => {
    const { progress, stored } = progressOf(status);
    await progress.follow({ ...stored(), status: "ACTIVE" }, (action) => ({ ...BY, action }));
    expect(stored()).toMatchObject({ status, pause_reason: null });
  },
);

test("an ACTIVE schedule whose flag was deleted is paused with the reason", async () => {
  const { progress, stored } = progressOf("ACTIVE");
  await progress.follow(stored(), (action) => ({ ...BY, action }));
  expect(stored()).toMatchObject({ status: "PAUSED", pause_reason: "The flag was deleted" });
});

test("an activation that fails pauses a DRAFT, but nothing that has moved on since", async () => {
  const pause = async (status: ScheduleRecord["status"]) =>
    (await progressOf(status).progress.pause("s", "why", BY, ["DRAFT", "PAUSED"])).status;
  expect([await pause("DRAFT"), await pause("ACTIVE"), await pause("CANCELLED")]).toEqual([
    "PAUSED",
    "ACTIVE",
    "CANCELLED",
  ]);
});

import { expect, test } from "vitest";
import { LeaseLost, SYSTEM } from "../../storage/change.ts";
import { createSafetyCheckJob } from "./job.ts";
import type { SafetyService } from "./service.ts";

/** A run of the job over the flags a, b and c, whose check of b fails with an error. */
async function runWith(failure: Error | null, signal = new AbortController().signal) {
  const checked: string[] = [];
  const safety = {
    guarded: () => ["a", "b", "c"],
    async check(id: string) {
      checked.push(id);
      if (id === "b" && failure) throw failure;
    },
  } as Pick<SafetyService, "guarded" | "check"> as SafetyService;
  const outcome = createSafetyCheckJob(safety).run({ now: 0, signal, change: (action) => ({ actor: SYSTEM, action }) });
  const error = await outcome.then(
    () => null,
    (reason: Error) => reason,
  );
  return { checked, error };
}

test("safety-check checks every flag with automatic rollback", async () => {
  expect(await runWith(null)).toEqual({ checked: ["a", "b", "c"], error: null });
});

test("safety-check goes on after a flag that cannot be checked, and fails naming it", async () => {
  const { checked, error } = await runWith(new Error("no thread"));
  expect(checked).toEqual(["a", "b", "c"]);
  expect(error?.message).toMatch(/^Flag b: .*no thread/);
});

test("safety-check stops at once if another node has the lease, or the server closes", async () => {
  const lost = new LeaseLost();
  expect(await runWith(lost)).toEqual({ checked: ["a", "b"], error: lost });
  const closing = new AbortController();
  closing.abort();
  expect((await runWith(null, closing.signal)).checked).toEqual([]);
});

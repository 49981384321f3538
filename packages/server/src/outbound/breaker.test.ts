import fc from "fast-check";
import { expect, test } from "vitest";
import { createRuntime } from "../ground/runtime.ts";
import { BREAKER, createBreaker } from "./breaker.ts";

const origin = "https://tracker.example";

function setUp() {
  let now = 1_000_000;
  const breaker = createBreaker(createRuntime({ now: () => now }));
  const isOpen = (of: string = origin) => {
    try {
      breaker.enter(of)(null);
      return false;
    } catch {
      return true;
    }
  };
  const fail = (times: number) => {
    for (let time = 0; time < times; time++) breaker.enter(origin)(false);
  };
  return {
    breaker,
    isOpen,
    fail,
    wait(milliseconds: number) {
      now += milliseconds;
    },
  };
}

test("opens after consecutive failures, for this origin only, and closes with the first success after the wait", () => {
  const { breaker, isOpen, fail, wait } = setUp();
  fail(BREAKER.failures - 1);
  expect(isOpen()).toBe(false);
  fail(1);
  expect([isOpen(), isOpen("https://crm.example")]).toEqual([true, false]);
  wait(BREAKER.openMs - 1);
  expect(isOpen()).toBe(true);
  wait(1);
  const probe = breaker.enter(origin);
  expect(isOpen()).toBe(true);
  probe(true);
  fail(BREAKER.failures - 1);
  expect(isOpen()).toBe(false);
});

test("a failed probe opens it again; a neutral one leaves the decision to the next", () => {
  const { breaker, isOpen, fail, wait } = setUp();
  fail(BREAKER.failures);
  wait(BREAKER.openMs);
  breaker.enter(origin)(null);
  breaker.enter(origin)(false);
  expect(isOpen()).toBe(true);
  wait(BREAKER.openMs);
  expect(isOpen()).toBe(false);
});

test("never blocks below the limit of consecutive failures, in any sequence", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom("ok", "fail", "unsaid"), fc.nat(40_000)), { maxLength: 60 }),
      (steps) => {
        const { breaker, wait } = setUp();
        let inRow = 0;
        for (const step of steps) {
          if (typeof step === "number") {
            wait(step);
            continue;
          }
          let end: (ok: boolean | null) => void;
          try {
            end = breaker.enter(origin);
          } catch {
            expect(inRow).toBeGreaterThanOrEqual(BREAKER.failures);
            continue;
          }
          if (step === "ok") inRow = 0;
          if (step === "fail") inRow++;
          end(step === "unsaid" ? null : step === "ok");
        }
      },
    ),
  );
});

test("forgets the origins that failed longest ago, so that their number is bounded", () => {
  const { breaker, isOpen, fail } = setUp();
  fail(BREAKER.failures);
  for (let number = 0; number < BREAKER.origins; number++) breaker.enter(`https://${number}.example`)(false);
  expect(isOpen()).toBe(false);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { findSlot, largestFree, type Range } from "./slots.ts";

const NOTHING = { taken: [], used: [] };
const range = (slot_start: number, slot_end: number): Range => ({ slot_start, slot_end });

test("places slots from the start, exactly", () => {
  expect(findSlot(NOTHING, 100, 30)).toEqual(range(0, 0.3));
  expect(findSlot({ taken: [range(0, 0.3)], used: [] }, 100, 10)).toEqual(range(0.3, 0.4));
  expect(findSlot({ taken: [range(0, 0.3), range(0.5, 1)], used: [] }, 100, 20)).toEqual(range(0.3, 0.5));
  expect(findSlot({ taken: [range(0, 0.3), range(0.5, 1)], used: [] }, 100, 20.0001)).toBeNull();
});

test("a default slot is half of the largest free range, so there is always space for another", () => {
  const taken: Range[] = [];
  for (const size of [0.5, 0.25, 0.125, 0.0625]) {
    const slot = findSlot({ taken, used: [] }, 100)!;
    expect(slot.slot_end - slot.slot_start).toBeCloseTo(size, 6);
    taken.push(slot);
  }
});

test("places nothing beyond the group's traffic", () => {
  expect(findSlot(NOTHING, 20, 20)).toEqual(range(0, 0.2));
  expect(findSlot(NOTHING, 20, 21)).toBeNull();
  expect(findSlot(NOTHING, 20)).toEqual(range(0, 0.1));
});

test("reuses old ranges once there is no other free space", () => {
  const used = [range(0, 0.6)];
  expect(findSlot({ taken: [], used }, 100, 40)).toEqual(range(0.6, 1));
  expect(findSlot({ taken: [range(0.6, 1)], used }, 100, 50)).toEqual(range(0, 0.5));
});

test("slots never overlap in any sequence of changes, and the reported free space can be used", () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ join: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }) }),
      fc.record({ leave: fc.nat(20) }),
      fc.record({ end: fc.nat(20) }),
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 1_000_000 }), (sequence, traffic) => {
      const percentage = traffic / 10_000;
      let taken: Range[] = [];
      let used: Range[] = [];
      for (const step of sequence) {
        if ("leave" in step) taken = taken.filter((_, index) => index !== step.leave);
        else if ("end" in step) {
          used = [...used, ...taken.filter((_, index) => index === step.end)];
          taken = taken.filter((_, index) => index !== step.end);
        } else {
          const wanted = step.join === undefined ? undefined : step.join / 10;
          const free = largestFree(taken, percentage);
          const slot = findSlot({ taken, used }, percentage, wanted);
          expect(slot === null).toBe(wanted === undefined ? free === 0 : free < wanted - 1e-9);
          if (slot === null) continue;
          expect(slot.slot_start).toBeGreaterThanOrEqual(0);
          expect(slot.slot_end).toBeLessThanOrEqual(percentage / 100 + 1e-12);
          expect(slot.slot_end).toBeGreaterThan(slot.slot_start);
          for (const other of taken) {
            expect(slot.slot_start >= other.slot_end || slot.slot_end <= other.slot_start).toBe(true);
          }
          taken.push(slot);
        }
      }
    }),
  );
});

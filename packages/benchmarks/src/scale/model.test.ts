import { describe, expect, it } from "vitest";
import type { Cost, Work } from "./measure.ts";
import { planOf, type Traffic } from "./model.ts";

const cost = (work: Work, serverCpu: number, databaseCpu: number, throughput = 1_000_000): Cost => ({
  shape: "a shape",
  work,
  throughput,
  median: 1,
  slow: 1,
  serverCpu,
  databaseCpu,
  memory: 1,
});
const costs = [cost("events", 600, 1_200), cost("assignment", 60, 30)];
// 864,000 users come, with 10 events a day each: 100 events a second on average, 300 at the busiest time.
const traffic: Traffic = { users: 8_640_000, active: 0.1, events: 10, assignments: 1, online: 0.01, peak: 3 };

describe("a plan", () => {
  it("has the rates of the busiest time, and cores that are busy for 60 % of it", () => {
    const plan = planOf(traffic, "a shape", costs);
    expect(plan.eventsPerSecond).toBeCloseTo(300);
    expect(plan.assignmentsPerSecond).toBeCloseTo(30);
    // 3 batches of 600 us and 30 assignments of 60 us are 3,600 us of each second.
    expect(plan.serverCores).toBeCloseTo(0.006);
    expect(plan.databaseCores).toBeCloseTo((3 * 1_200 + 30 * 30) / 1e6 / 0.6);
  });

  it("has one store as long as 32 cores are enough for its database, and a relay for each 5,000 streams", () => {
    expect(planOf(traffic, "a shape", costs)).toMatchObject({ stores: 1, relays: 2 });
    const many = { ...traffic, users: 8_640_000_000 * 5 };
    const { databaseCores, stores, relays } = planOf(many, "a shape", costs);
    expect(databaseCores).toBeCloseTo(37.5);
    expect([stores, relays]).toEqual([2, 8_640]);
  });

  it("has as many stores as take the events of the busiest time", () => {
    const slow = [cost("events", 600, 1_200, 1.4), cost("assignment", 60, 30)];
    const fast = { ...cost("events", 600, 1_200, 3), shape: "4 servers, a shape" };
    expect(planOf(traffic, "a shape", slow).stores).toBe(3);
    expect(planOf(traffic, "a shape", [...slow, fast]).stores).toBe(1);
  });

  it("is refused without the costs", () => {
    expect(() => planOf(traffic, "another shape", costs)).toThrow("not measured with another shape");
  });
});

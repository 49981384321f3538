import { expect, test } from "vitest";
import type { Growth } from "../growth/growth.ts";
import { toGrowthPage } from "./growth-page.ts";

const growth: Growth = {
  name: "flags",
  title: "Flags",
  setting: "How it is measured.",
  x: "flags",
  y: "nanoseconds",
  run: () => Promise.reject(new Error("Nothing runs here")),
};

test("the page has a row for each size, with the cost of each subject, and says what was not measured", () => {
  const curves = [
    { subject: "ours", points: [[100, 50] as [number, number], [10, 5] as [number, number]] },
    { subject: "floor", points: [[10, 2] as [number, number]] },
  ];
  const stored = { command: "pnpm bench:growth", date: "2026-11-23", machine: "a machine of 2 cores", curves };
  const text = toGrowthPage([growth, { ...growth, name: "users", title: "Users" }], new Map([["flags", stored]]));
  expect(text).toContain("| flags | ours | floor |\n| --- | --- | --- |\n| 10 | 5 | 2 |\n| 100 | 50 |  |");
  expect(text).toContain("Measured by `pnpm bench:growth` on 2026-11-23: a machine of 2 cores.");
  expect(text).toContain("](growth-flags.svg)");
  expect(text).toContain("## Users\n\nNot measured yet.");
});

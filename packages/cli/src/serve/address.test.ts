import { expect, test } from "vitest";
import { takeBoolean } from "./address.ts";

test("a parameter is taken out of the address, and undefined without one", () => {
  const url = new URL("redis://host?cluster=true&durable=false&family=6");
  expect(takeBoolean(url, "cluster", "--storage")).toBe(true);
  expect(takeBoolean(url, "cluster", "--storage")).toBeUndefined();
  expect(takeBoolean(url, "durable", "--storage")).toBe(false);
  expect(url.href).toBe("redis://host?family=6");
});

test.each(["", "1", "TRUE"])("a parameter of the value %j is refused with a sentence", (value) => {
  const url = new URL(`redis://host?cluster=${value}`);
  expect(() => takeBoolean(url, "cluster", "ASSAY_STORAGE")).toThrow(
    `cluster in ASSAY_STORAGE must be true or false, not "${value}"`,
  );
});

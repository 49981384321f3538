import { MAX_EVENT_VALUE } from "@assay/analysis";
import { MOST_VALUE } from "@assay/contract";
import { expect, test } from "vitest";

test("the API accepts exactly the values that the analysis counts", () => {
  expect(MOST_VALUE).toBe(MAX_EVENT_VALUE);
});

import { MAX_EVENT_VALUE } from "@assay/analysis";
import { MAX_METRIC_VALUE } from "@assay/contract";
import { expect, test } from "vitest";

test("the API accepts exactly the values that the analysis counts", () => {
  expect(MAX_METRIC_VALUE).toBe(MAX_EVENT_VALUE);
});

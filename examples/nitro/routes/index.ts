import { defineHandler } from "nitro/h3";
import { getAssay } from "../assay.ts";

export default defineHandler(async () => {
  const assay = getAssay();
  await assay.ready;
  const { value } = assay.engine.evaluate("new-checkout", { targetingKey: "grace" }, false);
  return value ? "The new checkout" : "The old checkout";
});

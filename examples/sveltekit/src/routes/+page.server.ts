import { getAssay } from "#lib/server/assay.ts";

export async function load() {
  const assay = getAssay();
  await assay.ready;
  return assay.engine.evaluate("new-checkout", { targetingKey: "grace" }, false);
}

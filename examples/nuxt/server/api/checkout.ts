export default defineEventHandler(async () => {
  const assay = getAssay();
  await assay.ready;
  return assay.engine.evaluate("new-checkout", { targetingKey: "grace" }, false).value;
});

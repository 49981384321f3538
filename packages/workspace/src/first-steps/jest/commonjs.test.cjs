const { toProgram } = require("@assay/core");
const { AssayWebProvider } = require("@assay/openfeature-web");
const { OpenFeature } = require("@openfeature/web-sdk");

test("the CommonJS build evaluates a flag in jsdom", async () => {
  expect([typeof window, typeof TextEncoder, typeof fetch]).toEqual(["object", "undefined", "undefined"]);
  const flag = { key: "new-checkout", enabled: true, rollout_percentage: 50, variants: [], rules: [] };
  const definitions = { schema_version: 1, flags: [flag], segments: [], groups: [], holdout: null, experiments: [] };
  const provider = new AssayWebProvider({ apiKey: "asy_test", bootstrap: toProgram(definitions), tracking: false });
  await OpenFeature.setProviderAndWait(provider, { targetingKey: "grace" });
  expect(OpenFeature.getClient().getBooleanValue("new-checkout", false)).toBe(true);
  await OpenFeature.setContext({ targetingKey: "ada" });
  expect(OpenFeature.getClient().getBooleanValue("new-checkout", true)).toBe(false);
  await OpenFeature.close();
});

const { toProgram } = require("@assay/core");
const { AssayWebProvider } = require("@assay/openfeature-web");
const { OpenFeature } = require("@openfeature/web-sdk");

test("the CommonJS build evaluates a flag in jsdom", async () => {
  // jsdom alone lacks both; jest-fixed-jsdom provides both.
  expect([typeof window, typeof TextEncoder]).toEqual(["object", typeof fetch]);
  const flag = { key: "new-checkout", enabled: true, rollout_percentage: 50, variants: [], rules: [] };
  const definitions = { schema_version: 1, flags: [flag], segments: [], groups: [], holdout: null, experiments: [] };
  const provider = new AssayWebProvider({ apiKey: "asy_test", bootstrap: toProgram(definitions) });
  await OpenFeature.setProviderAndWait(provider, { targetingKey: "grace" });
  expect(OpenFeature.getClient().getBooleanValue("new-checkout", false)).toBe(true);
  OpenFeature.getClient().track("purchase", { value: 1 });
  await OpenFeature.setContext({ targetingKey: "ada" });
  expect(OpenFeature.getClient().getBooleanValue("new-checkout", true)).toBe(false);
  await OpenFeature.close();
});

test("the CommonJS build fails to start without a server, and serves defaults", async () => {
  const provider = new AssayWebProvider({ apiKey: "asy_test", baseUrl: "http://127.0.0.1:1", streaming: true });
  await expect(OpenFeature.setProviderAndWait(provider)).rejects.toThrow("Cannot reach");
  expect(OpenFeature.getClient().getBooleanValue("new-checkout", true)).toBe(true);
  await OpenFeature.close();
});

test("the CommonJS build loads remote evaluation", async () => {
  const flags = [{ key: "new-checkout", value: true, variant: "on", reason: "SPLIT" }];
  const provider = new AssayWebProvider({ apiKey: "asy_test", evaluation: "remote", bootstrap: { flags } });
  await OpenFeature.setProviderAndWait(provider, { targetingKey: "grace" });
  expect(OpenFeature.getClient().getBooleanValue("new-checkout", false)).toBe(true);
  await OpenFeature.close();
});

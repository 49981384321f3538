import { toProgram } from "@assay/core";
import { createFlagHandler } from "@assay/edge";
import { AssayWebProvider } from "@assay/openfeature-web";
import { OpenFeature } from "@openfeature/web-sdk";

const flag = { key: "new-checkout", enabled: true, rollout_percentage: 50, variants: [], rules: [] };
export const FLAGS = { schema_version: 1, flags: [flag], segments: [], groups: [], holdout: null, experiments: [] };

/** Evaluates the flag for a user in the half that has it. */
export async function expectFlag(handler) {
  const body = JSON.stringify({ context: { targetingKey: "grace" } });
  const url = "https://shop.example/ofrep/v1/evaluate/flags/new-checkout";
  const answer = await (await handler(new Request(url, { method: "POST", body }))).json();
  if (answer.value !== true) throw new Error(`Expected true: ${JSON.stringify(answer)}`);
}

/** What an app does with these packages, for bundlers. */
export async function start() {
  await expectFlag(createFlagHandler({ program: toProgram(FLAGS), flags: "all" }));
  const provider = new AssayWebProvider({ apiKey: "asy_test", bootstrap: toProgram(FLAGS) });
  await OpenFeature.setProviderAndWait(provider, { targetingKey: "grace" });
  const isOn = OpenFeature.getClient().getBooleanValue("new-checkout", false);
  await OpenFeature.close();
  return `bundle: ${isOn}`;
}

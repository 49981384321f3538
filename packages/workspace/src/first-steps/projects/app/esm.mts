import { createClient } from "@assay/client";
import { createEngine, type Definitions, type Program, toProgram } from "@assay/core";
import { signOverrides } from "@assay/core/overrides";
import { createFlagHandler } from "@assay/edge";
import { AssayServerProvider } from "@assay/openfeature-server";
import { fileStorage } from "@assay/openfeature-server/file";
import { AssayWebProvider } from "@assay/openfeature-web";
import { createConnection } from "@assay/sdk";

const definitions: Definitions = {
  schema_version: 1,
  flags: [],
  segments: [],
  groups: [],
  holdout: null,
  experiments: [],
};
const program: Program = toProgram(definitions);
export const isOn = createEngine(definitions).evaluate("new-checkout", { targetingKey: "ada" }, false).value;
export const flags = createFlagHandler({ program, flags: "all" });
export const providers = [
  new AssayServerProvider({ apiKey: "asy_test", storage: fileStorage("flags.json") }),
  new AssayWebProvider({ apiKey: "asy_test" }),
];
export const listed = createClient({ apiKey: "asy_test" }).request("GET /feature-flags/", { query: { limit: 1 } });
export const unused = [signOverrides, createConnection];
// @ts-expect-error The types reach the project: a wrong option is an error.
new AssayWebProvider({ apiKey: 1 });

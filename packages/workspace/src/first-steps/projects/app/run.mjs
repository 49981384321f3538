import { equal } from "node:assert/strict";
import { createRequire } from "node:module";
import * as client from "@assay/client";
import * as core from "@assay/core";
import * as edge from "@assay/edge";
import * as sdk from "@assay/sdk";
import { expectFlag, FLAGS } from "./worker.mjs";

// Both builds of every package for both module systems evaluate the same. `require` also loads the server, an ES module.
const require = createRequire(import.meta.url);
const builds = [
  { client, core, edge, sdk },
  {
    client: require("@assay/client"),
    core: require("@assay/core"),
    edge: require("@assay/edge"),
    sdk: require("@assay/sdk"),
  },
];
for (const { client, core, edge, sdk } of builds) {
  const program = core.toProgram(FLAGS);
  equal(core.createEngine(FLAGS).evaluate("new-checkout", { targetingKey: "grace" }, false).value, true);
  await expectFlag(edge.createFlagHandler({ program, flags: "all" }));
  equal(typeof client.createClient({ apiKey: "asy_test" }).request, "function");
  equal(typeof sdk.createConnection, "function");
}
const assay = require("@assay/server").createAssay({ logger: () => {} });
// The command line depends on the library of this route, and npm puts it where the server finds it.
equal((await assay.fetch(new Request("http://localhost/api/v1/mcp/manifest"))).status, 200);
await assay.close();
console.log("both module systems: ok");

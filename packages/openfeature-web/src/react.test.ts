import { OpenFeature, OpenFeatureProvider, useBooleanFlagValue } from "@openfeature/react-sdk";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { startAssay } from "./assay-server.fixture.ts";
import { adaOnly, bob, connect, toProvider } from "./provider.fixture.ts";

afterEach(() => OpenFeature.clearProviders());

function Checkout() {
  return createElement("p", null, useBooleanFlagValue("checkout", false) ? "new" : "old");
}

test.each(["local", "remote"] as const)("the React SDK renders the values of the provider: %s", async (evaluation) => {
  await using server = await startAssay();
  await server.createFlag("checkout", adaOnly);
  const { domain } = await connect(toProvider(server, { evaluation }));
  const render = () => renderToString(createElement(OpenFeatureProvider, { domain }, createElement(Checkout)));
  expect(render()).toBe("<p>new</p>");
  await OpenFeature.setContext(domain, bob);
  expect(render()).toBe("<p>old</p>");
});

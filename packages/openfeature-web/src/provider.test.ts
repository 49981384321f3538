import { OpenFeature, ProviderStatus } from "@openfeature/web-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startAssay } from "./assay-server.fixture.ts";
import { AssayWebProvider, type AssayWebProviderOptions, OptionError } from "./index.ts";
import { ada, bob, connect, newDomain, toProvider } from "./provider.fixture.ts";

afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("initialisation", () => {
  test.each(["local", "remote"] as const)(
    "fails with PROVIDER_FATAL for a rejected key, and the error does not contain the key: %s",
    async (evaluation) => {
      await using server = await startAssay("checkout");
      const domain = newDomain();
      const provider = toProvider(server, { evaluation, apiKey: "asy_wrong_key" });
      const error: Error = await OpenFeature.setProviderAndWait(domain, provider).then(
        () => new Error("It was accepted"),
        (reason: Error) => reason,
      );
      expect(error).toMatchObject({ code: "PROVIDER_FATAL", message: expect.stringContaining("401") });
      const client = OpenFeature.getClient(domain);
      expect(client.providerStatus).toBe(ProviderStatus.FATAL);
      expect(String(error.stack)).not.toContain("asy_wrong_key");
      await OpenFeature.setContext(domain, bob);
      await expect.poll(() => client.providerStatus).toBe(ProviderStatus.FATAL);
    },
  );

  test("that failed is followed by READY when the server responds, also after a change of context", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    await using server = await startAssay("checkout");
    await server.goAway();
    const domain = newDomain();
    const setting = OpenFeature.setProviderAndWait(domain, toProvider(server));
    await expect(setting).rejects.toMatchObject({ code: "GENERAL" });
    const client = OpenFeature.getClient(domain);
    await OpenFeature.setContext(domain, ada);
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.ERROR);
    await server.comeBack();
    await expect.poll(() => client.providerStatus).toBe(ProviderStatus.READY);
    expect(client.getBooleanValue("checkout", false)).toBe(true);
  });

  test("works again after the provider was closed twice", async () => {
    await using server = await startAssay("checkout");
    const provider = toProvider(server);
    await connect(provider);
    await OpenFeature.clearProviders();
    await provider.onClose();
    const client = await connect(provider);
    expect(client.getBooleanValue("checkout", false)).toBe(true);
  });

  test("accepts several domains with local evaluation, and one with remote evaluation", async () => {
    await using server = await startAssay("checkout");
    const local = toProvider(server);
    const clients = [await connect(local, ada), await connect(local, bob)];
    expect(clients.map((client) => client.getBooleanValue("checkout", false))).toEqual([true, true]);
    const remote = toProvider(server, { evaluation: "remote" });
    await connect(remote);
    await expect(connect(remote)).rejects.toThrow("more than one domain");
  });

  test.each([
    [{}, "apiKey"],
    [undefined, "apiKey"],
    [{ apiKey: "key", baseUrl: "localhost" }, "baseUrl"],
    [{ apiKey: "key", timeout: "5s" }, "timeout"],
    [{ apiKey: "key", cacheTtlMs: -1 }, "cacheTtlMs"],
    [{ apiKey: "key", errorAfterMs: -1 }, "errorAfterMs"],
    [{ apiKey: "key", evaluation: "edge" }, "evaluation"],
    [{ apiKey: "key", bootstrap: { flags: {} } }, "bootstrap"],
    [{ apiKey: "key", bootstrap: null }, "bootstrap"],
    [{ apiKey: "key", bootstrap: { flags: [null] } }, "bootstrap"],
    [{ apiKey: "key", bootstrap: { flags: [null] }, evaluation: "remote" }, "bootstrap"],
    [{ apiKey: "key", fetch: {} }, "fetch"],
    [{ apiKey: "key", headers: null }, "headers"],
    [{ apiKey: "key", streaming: 1 }, "streaming"],
    [{ apiKey: "key", storage: {} }, "storage"],
    [{ apiKey: "key", reasons: "both" }, "reasons"],
    [{ apiKey: "key", tracking: "yes" }, "tracking"],
    [{ apiKey: "key", logger: {} }, "logger"],
  ])("throws OptionError for the options %j, and names %s", (options, option) => {
    // A value that a caller without TypeScript may pass.
    const create = () => new AssayWebProvider(options as unknown as AssayWebProviderOptions);
    expect(create).toThrow(OptionError);
    expect(create).toThrow(expect.objectContaining({ option }));
  });

  test("rejects definitions as a bootstrap, and the error names toProgram", () => {
    const definitions = { schema_version: 1, flags: [], segments: [], groups: [], holdout: null, experiments: [] };
    const options = { apiKey: "key", bootstrap: definitions };
    // A valid value before there were programs.
    const create = () => new AssayWebProvider(options as unknown as AssayWebProviderOptions);
    expect(create).toThrow("bootstrap must be a program of toProgram");
  });
});

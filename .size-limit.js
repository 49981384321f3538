/** The import of a package, all dependencies in and peers out, as bundlers for browsers build it. */
const inBrowsers = (name, path, limit, more = {}) => ({ name, path: `packages/${path}`, limit, gzip: true, ...more });

/** The same as bundlers for workers build it: their conditions come before that of browsers. */
const inWorkers = (name, path, limit, more = {}) => ({
  ...inBrowsers(name, path, limit, more),
  modifyEsbuildConfig: (config) => ({ ...config, conditions: ["worker", "browser"] }),
});

/** A provider, next to the SDK that it imports, as Node or a page has it; nobody needs a stand-in for `require` there. */
const provider = (kind, name, path, limit, later = []) => ({
  ...inBrowsers(name, path, limit, { ignore: [`@openfeature/${kind}-sdk`, "@openfeature/core", ...later] }),
  modifyEsbuildConfig: (config) => ({ ...config, format: "esm", platform: kind === "server" ? "node" : "browser" }),
});

/** What a page loads at first; and all there is, with what bundlers make files of their own to be loaded later. */
const webProvider = (name, path, firstLimit, limit, later = []) => [
  provider("web", name, path, firstLimit, ["@assay/sdk/sender", "@assay/sdk/stream", ...later]),
  provider("web", `${name} with everything`, path, limit),
];

export default [
  inBrowsers("core", "core/dist/index.js", "12.75 kB"),
  inBrowsers("core programs", "core/dist/index.js", "4.35 kB", { import: "{ createProgramEngine, parseProgram }" }),
  inBrowsers("core/page", "core/dist/page/index.js", "3.85 kB"),
  inWorkers("core programs in workers", "core/dist/index.js", "4.64 kB", {
    import: "{ createProgramEngine, parseProgram }",
  }),
  inBrowsers("core/schema", "core/dist/schema/index.js", "6 kB"),
  inBrowsers("core/stats", "core/dist/stats/index.js", "12 kB"),
  inBrowsers("core/stats/bayes", "core/dist/stats/bayes/index.js", "6 kB"),
  inBrowsers("core/stats/design", "core/dist/stats/design/index.js", "3.5 kB"),
  inBrowsers("core/stats/planning", "core/dist/stats/planning/index.js", "5 kB"),
  inBrowsers("core/stats/shrinkage", "core/dist/stats/shrinkage/index.js", "2.75 kB"),
  inBrowsers("client", "client/dist/index.js", "2.5 kB"),
  provider("server", "openfeature-server", "openfeature-server/dist/index.js", "19 kB"),
  ...webProvider("openfeature-web", "openfeature-web/dist/index.js", "10 kB", "12.18 kB", ["./remote-core.js"]),
  ...webProvider("openfeature-web/remote", "openfeature-web/dist/remote.js", "6.85 kB", "8.22 kB"),
  inWorkers("edge", "edge/dist/index.js", "10.79 kB"),
  inWorkers("edge split URL", "edge/dist/index.js", "7.86 kB", { import: "{ createSplitUrlHandler }" }),
  inWorkers("edge flags", "edge/dist/index.js", "7.5 kB", { import: "{ createFlagHandler }" }),
  inWorkers("edge without core and sdk", "edge/dist/index.js", "4.1 kB", { ignore: ["@assay/core", "@assay/sdk"] }),
];

/** @type {import("next").NextConfig} */
export default {
  // Node loads them from node_modules as they are, so that builds are faster. Bundled they work as well.
  serverExternalPackages: ["@assay/server", "@assay/lmdb"],
};

/** @type {import("next").NextConfig} */
export default {
  // Some routes of the API end with a slash, from which Next.js would redirect.
  skipTrailingSlashRedirect: true,
  // Node loads them from node_modules as they are, so that builds are faster. Bundled they work as well.
  serverExternalPackages: ["@assay/server", "@assay/lmdb"],
};

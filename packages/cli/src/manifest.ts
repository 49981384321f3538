import { createRequire } from "node:module";

/** The `package.json` of this package, which is one folder above both the sources and the build. */
export const { version, engines } = createRequire(import.meta.url)("../package.json") as {
  version: string;
  engines: { node: string };
};

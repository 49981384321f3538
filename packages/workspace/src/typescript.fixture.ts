/**
 * The options with which Node runs a TypeScript file. `npm test` builds the packages first; the file then imports them as
 * built, which takes less time than to compile their sources.
 */
export const RUN_TYPESCRIPT: readonly string[] = process.env.ASSAY_TEST_BUILT
  ? ["--import", "tsx"]
  : ["--import", "tsx", "--conditions=@assay/source"];

/**
 * What Node needs to run a TypeScript file. `npm test` builds the packages first: the file then imports what is published,
 * which starts several times as fast as the sources.
 */
export const RUN_TYPESCRIPT: readonly string[] = process.env.ASSAY_TEST_BUILT
  ? ["--import", "tsx"]
  : ["--import", "tsx", "--conditions=@assay/source"];

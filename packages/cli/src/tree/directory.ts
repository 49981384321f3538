/** The folder of a tree, where a command names none. */
export const DEFAULT_DIRECTORY = "assay";

import { targetOf, type WorkspacePackage } from "./package-graph.ts";

/** An import from one folder of a package's `src` into another, including type-only imports. */
export interface FolderImport {
  from: string;
  to: string;
  /** The import as `file -> specifier`, as written. */
  where: string;
}

/**
 * Returns the imports between the folders of a package. Files directly in `src`, such as the entry point, are in no
 * folder.
 *
 * @param aliases folders of the package's own `imports`, by specifier
 */
export function folderImports(
  { folder, sources }: WorkspacePackage,
  aliases: Readonly<Record<string, string>> = {},
): FolderImport[] {
  const folderOf = (path: string) => {
    const [name, ...rest] = path.slice(`${folder}/src/`.length).split("/");
    return rest.length > 0 ? name : undefined;
  };
  return sources.flatMap((file) =>
    file.imports.flatMap((specifier) => {
      const from = folderOf(file.path);
      const to = specifier.startsWith(".") ? folderOf(targetOf(file, specifier)) : aliases[specifier];
      if (from === undefined || to === undefined || from === to) return [];
      return [{ from, to, where: `${file.path} -> ${specifier}` }];
    }),
  );
}

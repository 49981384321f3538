import { targetOf, type WorkspacePackage } from "./package-graph.ts";

/** An import that leads from one folder of a package's `src` into another; type-only imports count too. */
export interface FolderImport {
  from: string;
  to: string;
  /** `file -> specifier`, as written. */
  where: string;
}

/**
 * The imports between the folders of a package. A file directly in `src`, such as the entry point, is in no folder.
 *
 * @param aliases folders that the package's own `imports` lead into, by their specifiers
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

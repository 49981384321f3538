import { statSync } from "node:fs";

const GROUP_AND_OTHERS = 0o077;

/**
 * Returns a warning for paths that are accessible to other users, with the commands that restrict them; null if there
 * are none. It ignores missing paths, and systems without such modes.
 */
export function describeWideModes(paths: readonly string[]): string | null {
  if (process.platform === "win32") return null;
  const wide = paths.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat || (stat.mode & GROUP_AND_OTHERS) === 0) return [];
    return [{ path, mode: (stat.mode & 0o777).toString(8), isDirectory: stat.isDirectory() }];
  });
  if (wide.length === 0) return null;
  const found = wide.map(({ path, mode }) => `${path} (mode ${mode})`).join(", ");
  const commands = [
    ["chmod 700", wide.filter(({ isDirectory }) => isDirectory)],
    ["chmod 600", wide.filter(({ isDirectory }) => !isDirectory)],
  ] as const;
  const run = commands
    .filter(([, ones]) => ones.length > 0)
    .map(([command, ones]) => [command, ...ones.map(({ path }) => quoted(path))].join(" "));
  return `Other users of this machine may use the data in ${found}. Run: ${run.join(" && ")}`;
}

/** Returns a path quoted for a shell. */
function quoted(path: string): string {
  return /^[\w./:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/**
 * Imports an optional package by name. The import is dynamic and marked so that bundlers skip it: a bundle must build
 * without the package.
 * @param fail creates the error from install instructions
 * @throws the error of `fail` if the package is missing
 */
export async function importOptional<Module>(
  name: string,
  path: string,
  fail: (message: string) => Error,
): Promise<Module> {
  try {
    return await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ path);
  } catch {
    throw fail(`The package ${name} is not installed; install it next to @assay/server`);
  }
}

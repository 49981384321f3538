import { register } from "node:module";

// Prints a line `loaded NAME` for each package that a process imports. Pass it to Node with --import.
const hooks = `
import { writeSync } from "node:fs";
const seen = new Set();
export async function resolve(specifier, context, next) {
  const [name] = /^(@[^/]+[/])?[a-z][^/:]*/.exec(specifier) ?? [];
  if (name !== undefined && !specifier.includes(":") && !seen.has(name)) {
    seen.add(name);
    writeSync(2, "loaded " + name + "\\n");
  }
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

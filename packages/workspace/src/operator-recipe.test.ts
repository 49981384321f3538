import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const core = fileURLToPath(new URL("../../core/src/", import.meta.url));
const definition = `${core}format/definition.ts`;
const operator = `${core}compiler/operator.ts`;

/** Returns the compiler errors of a file of core if the text of other files changes. It does not write to disk. */
function diagnose(file: string, changes: Readonly<Record<string, (text: string) => string>>): string[] {
  const { config } = ts.readConfigFile(`${core}../../../tsconfig.json`, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, core);
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (path) => {
    const text = readFile(path);
    return text === undefined ? undefined : (changes[path]?.(text) ?? text);
  };
  host.getSourceFile = (path, target) => {
    const text = host.readFile(path);
    return text === undefined ? undefined : ts.createSourceFile(path, text, target);
  };
  const program = ts.createProgram([file], { ...options, types: [] }, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("an operator that is listed and not lowered does not compile", () => {
  expect(diagnose(operator, {})).toEqual([]);
  const messages = diagnose(operator, {
    [definition]: (text) => text.replace('| "EQUALS"', '| "EQUALS"\n  | "DIVISIBLE_BY"'),
  });
  expect(messages.join()).toContain("'DIVISIBLE_BY' is missing");
});

test("a complement that is listed and not lowered does not compile either", () => {
  const messages = diagnose(operator, {
    [definition]: (text) => text.replace('| "CONTAINS"', '| "CONTAINS"\n  | "NOT_CONTAINS"'),
  });
  expect(messages.join()).toContain("'NOT_CONTAINS' is missing");
});

test("an operator that is lowered and not listed does not compile", () => {
  const messages = diagnose(operator, {
    [operator]: (text) => text.replace("= {\n  EQUALS:", '= {\n  DIVISIBLE_BY: ["in"],\n  EQUALS:'),
  });
  expect(messages.join()).toContain("'DIVISIBLE_BY' does not exist");
});

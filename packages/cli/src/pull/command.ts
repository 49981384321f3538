import { readDefinitions } from "@assay/client/definitions";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { USER_ARGS, withUser } from "../connection.ts";
import { usageFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { print } from "../output.ts";
import { DEFAULT_DIRECTORY } from "../tree/directory.ts";
import { FILE_FIELDS } from "../tree/fields.ts";
import { describeProblem } from "../tree/problem.ts";
import { readTree } from "../tree/read.ts";
import { type FileChange, findChanges } from "./changes.ts";
import { writeChanges } from "./write.ts";

const args: ArgsDef = {
  directory: { type: "positional", required: false, description: `Folder of the files (default ${DEFAULT_DIRECTORY})` },
  format: { type: "string", valueHint: "yaml|json", description: "Format of new files (default yaml)" },
  "dry-run": { type: "boolean", description: "Print the files that change, and write none" },
  delete: { type: "boolean", description: "Delete files of what the server does not have" },
  ...USER_ARGS,
};

const FORMATS = ["yaml", "json"] as const;

/** `assay pull`: writes the flags, segments and experiments of a server to files. */
export const pull: CommandDef = defineCommand({
  meta: { name: "pull", description: "Write flags, segments and experiments to files" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const directory = flags.positionals[0] ?? DEFAULT_DIRECTORY;
    const format = FORMATS.find((name) => name === (flags.one("format") ?? "yaml"));
    if (!format) throw usageFailure(`--format must be yaml or json, not "${flags.one("format")}"`);
    const tree = await readTree(directory);
    if (tree.problems.length > 0) throw usageFailure(tree.problems.map(describeProblem).join("\n"));
    const stored = await withUser(flags, (client) => readDefinitions(client, () => true, FILE_FIELDS));
    const changes = findChanges(tree.files, stored, { format, deletes: flags.has("delete") });
    if (!flags.has("dry-run")) await writeChanges(directory, changes);
    const shown = changes.map(({ text: _, ...change }) => change);
    print(flags, shown, () => describe(shown, flags.has("dry-run")));
  },
});

function describe(changes: readonly Omit<FileChange, "text">[], isDry: boolean): string {
  const lines = changes.map(({ file, action }) =>
    action === "keep" ? `${file}: only here, stays (--delete deletes it)` : `${file}: ${action}`,
  );
  const count = changes.filter(({ action }) => action !== "keep").length;
  if (count === 0) return [...lines, "Nothing differs"].join("\n");
  const files = count === 1 ? "1 file" : `${count} files`;
  return [...lines, isDry ? `${files} to write` : `${files} written`].join("\n");
}

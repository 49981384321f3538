import { createClient, isAssayError } from "@assay/client";
import { readPages } from "@assay/client/definitions";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CommandFailure, failure, reasonOf, usageFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { readServerWithKey, serverArgs } from "../server-address.ts";
import { type StaleFlag, toEntries, toReport } from "./report.ts";
import { searchSource } from "./source-tree.ts";

const KEY_KIND = "key with the scope read";

const args: ArgsDef = {
  path: { type: "positional", required: false, description: "Source folder or file to search for the flags" },
  check: {
    type: "boolean",
    description: "Exit with 1 if the source names a stale flag (without a path: if any flag is stale)",
  },
  ignore: {
    type: "string",
    valueHint: "pattern",
    description: "Folder or file to skip, as in a .gitignore; may be repeated",
  },
  json: { type: "boolean", description: "Write JSON" },
  ...serverArgs(KEY_KIND),
};

const PAGE = 500;

/** `assay flags stale`: lists the stale flags, and where the source still names them. */
export const stale: CommandDef = defineCommand({
  meta: { name: "stale", description: "List stale flags, and find them in a source tree" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const [path] = flags.positionals;
    const { url, apiKey } = await readServerWithKey(flags, process.env, KEY_KIND);
    const found = await listStale(url, apiKey);
    const keys = new Set(found.map(({ key }) => key));
    const search =
      path === undefined
        ? null
        : await searchSource(path, keys, flags.all("ignore")).catch((error: unknown) => {
            throw usageFailure(`Cannot search ${path}: ${reasonOf(error)}`);
          });
    const entries = toEntries(found, search?.references ?? []);
    console.log(flags.has("json") ? JSON.stringify(entries, null, 2) : toReport(entries, search).join("\n"));
    const count = search ? search.references.length : found.length;
    if (flags.has("check") && count > 0) throw new CommandFailure("", 1);
  },
});

async function listStale(url: string, apiKey: string): Promise<StaleFlag[]> {
  const client = createClient({ baseUrl: url, apiKey });
  try {
    return await readPages(PAGE, (page) => client.request("GET /feature-flags/", { query: { stale: true, ...page } }));
  } catch (error) {
    const reason = isAssayError(error) ? error.detail : reasonOf(error);
    throw failure(`Cannot read the flags of ${url}: ${reason}`, error);
  }
}

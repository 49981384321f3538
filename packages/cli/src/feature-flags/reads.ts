import type { RequestOptions } from "@assay/client";
import { readPages } from "@assay/client/definitions";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CONNECTION_ARGS, withClient } from "../connection.ts";
import { readFlags, requireWord } from "../flags.ts";
import { print, toColumns } from "../output.ts";

const PAGE = 500;

const listArgs: ArgsDef = {
  search: { type: "string", valueHint: "text", description: "Part of a key, name or description" },
  status: { type: "string", description: "ACTIVE, INACTIVE or ARCHIVED" },
  tag: { type: "string", description: "A tag of the flags" },
  ...CONNECTION_ARGS,
};

/** `assay flags list`: a line per flag, sorted by key. */
export const list: CommandDef = defineCommand({
  meta: { name: "list", description: "List flags" },
  args: listArgs,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, listArgs);
    const [search, status, tag] = [flags.one("search"), flags.one("status"), flags.one("tag")];
    // The server checks the name of the status.
    const filter = { ...(search && { search }), ...(status && { status_filter: status }), ...(tag && { tag }) };
    const query = filter as RequestOptions<"GET /feature-flags/">["query"];
    const all = await withClient(flags, (client) =>
      readPages(PAGE, (page) => client.request("GET /feature-flags/", { query: { ...query, sort: "key", ...page } })),
    );
    print(flags, all, () =>
      toColumns(
        ["KEY", "STATUS", "ROLLOUT", "TAGS", "CHANGED", "BY"],
        all.map((flag) => [
          flag.key,
          flag.status,
          `${flag.rollout_percentage} %`,
          flag.tags.join(","),
          flag.last_changed_at,
          flag.last_changed_by?.name ?? null,
        ]),
      ),
    );
  },
});

const showArgs: ArgsDef = {
  key: { type: "positional", required: false, description: "Key or id of the flag" },
  ...CONNECTION_ARGS,
};

/** `assay flags show`: the whole flag as JSON, which `assay flags set --file` takes. */
export const show: CommandDef = defineCommand({
  meta: { name: "show", description: "Print a flag as JSON" },
  args: showArgs,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, showArgs);
    const id = requireWord(flags, 0, "the key of the flag");
    const flag = await withClient(flags, (client) => client.request("GET /feature-flags/{id}", { params: { id } }));
    console.log(JSON.stringify(flag, null, 2));
  },
});

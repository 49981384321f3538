import type { ExperimentCreate, RequestOptions } from "@assay/client";
import { readPages } from "@assay/client/definitions";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CONNECTION_ARGS, withClient } from "../connection.ts";
import { usageFailure } from "../failure.ts";
import { readFlags, requireWord } from "../flags.ts";
import { FILE_ARG, readBody } from "../json-file.ts";
import { print, toColumns } from "../output.ts";

const PAGE = 500;

const listArgs: ArgsDef = {
  search: { type: "string", valueHint: "text", description: "Part of a key, name or description" },
  status: { type: "string", description: "DRAFT, ACTIVE, PAUSED, COMPLETED or ARCHIVED" },
  ...CONNECTION_ARGS,
};

/** `assay experiments list`: a line per experiment, newest first. */
export const list: CommandDef = defineCommand({
  meta: { name: "list", description: "List experiments" },
  args: listArgs,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, listArgs);
    const [search, status] = [flags.one("search"), flags.one("status")];
    // The server checks the name of the status.
    const filter = { ...(search && { search }), ...(status && { status_filter: status }) };
    const query = filter as RequestOptions<"GET /experiments/">["query"];
    const all = await withClient(flags, (client) =>
      readPages(PAGE, async (page) => {
        const { items } = await client.request("GET /experiments/", { query: { ...query, ...page } });
        return items;
      }),
    );
    print(flags, all, () =>
      toColumns(
        ["KEY", "STATUS", "FLAG", "USERS", "SPLIT", "STARTED"],
        all.map(({ key, status, feature_flag_key, users, srm, start_date }) => [
          key,
          status,
          feature_flag_key,
          users,
          srm,
          start_date,
        ]),
      ),
    );
  },
});

const showArgs: ArgsDef = {
  key: { type: "positional", required: false, description: "Key or id of the experiment" },
  ...CONNECTION_ARGS,
};

/** `assay experiments show`: the whole experiment as JSON. */
export const show: CommandDef = defineCommand({
  meta: { name: "show", description: "Print an experiment as JSON" },
  args: showArgs,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, showArgs);
    const experiment_id = requireWord(flags, 0, "the key of the experiment");
    const experiment = await withClient(flags, (client) =>
      client.request("GET /experiments/{experiment_id}", { params: { experiment_id } }),
    );
    console.log(JSON.stringify(experiment, null, 2));
  },
});

const createArgs: ArgsDef = { ...FILE_ARG, ...CONNECTION_ARGS };

/** `assay experiments create`: a DRAFT from a JSON file. */
export const create: CommandDef = defineCommand({
  meta: { name: "create", description: "Create an experiment as a DRAFT from a JSON file" },
  args: createArgs,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, createArgs);
    if (flags.one("file") === undefined) throw usageFailure("--file is missing");
    const body = (await readBody(flags)) as ExperimentCreate;
    const experiment = await withClient(flags, (client) => client.request("POST /experiments/", { body }));
    print(flags, experiment, () => `${experiment.key} is ${experiment.status}`);
  },
});

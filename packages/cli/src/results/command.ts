import { createClient, isAssayError } from "@assay/client";
import { type ReportInput, toCsv, toHtml } from "@assay/console/report";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { failure, reasonOf, usageFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { readServerWithKey, serverArgs } from "../server-address.ts";
import { toTable } from "./table.ts";

const KEY_KIND = "key with the scope read";
const FORMATS = {
  table: toTable,
  csv: toCsv,
  json: ({ overview }: ReportInput) => `${JSON.stringify(overview, null, 2)}\n`,
  html: toHtml,
};

const args: ArgsDef = {
  experiment: { type: "positional", required: false, description: "Key or id of the experiment" },
  format: {
    type: "string",
    valueHint: Object.keys(FORMATS).join("|"),
    description: "How to print the results (default table)",
  },
  ...serverArgs(KEY_KIND),
};

const isFormat = (text: string): text is keyof typeof FORMATS => Object.hasOwn(FORMATS, text);

/** `assay results`: prints the results of an experiment, with the numbers of the console. */
export const results: CommandDef = defineCommand({
  meta: { name: "results", description: "Print the results of an experiment" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const [experiment] = flags.positionals;
    if (!experiment) throw usageFailure("Specify an experiment: assay results KEY");
    const format = flags.one("format") ?? "table";
    if (!isFormat(format)) {
      throw usageFailure(`--format must be one of ${Object.keys(FORMATS).join(", ")}, not "${format}"`);
    }
    const { url, apiKey } = await readServerWithKey(flags, process.env, KEY_KIND);
    const input = await readResults(url, apiKey, experiment);
    await write(FORMATS[format](input));
  },
});

/** Waits until a pipe has taken the whole text, because the process exits next. */
function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
}

async function readResults(url: string, apiKey: string, experiment: string): Promise<ReportInput> {
  const client = createClient({ baseUrl: url, apiKey });
  const params = { experiment_id: experiment };
  try {
    const [one, overview, answer] = await Promise.all([
      client.request("GET /experiments/{experiment_id}", { params }),
      client.request("GET /results/{experiment_id}/overview", { params }),
      client.request("GET /results/{experiment_id}", { params }),
    ]);
    return { experiment: one, overview, results: answer };
  } catch (error) {
    if (isAssayError(error) && error.status === 404) throw failure(`There is no experiment "${experiment}"`, error);
    const reason = isAssayError(error) ? error.detail : reasonOf(error);
    throw failure(`Cannot read the results from ${url}: ${reason}`, error);
  }
}

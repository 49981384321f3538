import type { Client } from "@assay/client";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CONNECTION_ARGS, withClient } from "../connection.ts";
import { PROPOSE_ARGS, requireRightWay } from "../definitions/protection.ts";
import { CommandFailure, usageFailure } from "../failure.ts";
import { type Flags, readFlags, requireWord } from "../flags.ts";
import { print } from "../output.ts";
import { readServer } from "../server-address.ts";
import { applyPlan, type Outcome } from "./apply.ts";
import { complete } from "./mapping/complete.ts";
import type { Migration } from "./mapping/migration.ts";
import { makePlan, type PlanStep } from "./plan.ts";
import { PRODUCTS, type Product } from "./products.ts";
import { formatReport, toReport } from "./report.ts";
import { generateIds } from "./sample.ts";
import { readIds, readSourceJson } from "./source.ts";

const args: ArgsDef = {
  source: {
    type: "positional",
    required: false,
    description: "File or URL of the product's JSON, or - for standard input",
  },
  with: {
    type: "string",
    valueHint: "file|url",
    description: "More JSON of the source, such as segments; may be repeated",
  },
  environment: { type: "string", valueHint: "name", description: "Environment of the source" },
  "dry-run": { type: "boolean", description: "Print the plan and change nothing" },
  force: { type: "boolean", description: "Replace documents that differ in Assay, also changed ones" },
  ...PROPOSE_ARGS,
  users: { type: "string", valueHint: "file", description: "User ids, one a line, of which to count who changes arms" },
  ...CONNECTION_ARGS,
};

/** Creates the task of one product. */
function migrateFrom(name: string, product: Product): CommandDef {
  return defineCommand({
    meta: { name, description: `Migrate flags from ${product.title}` },
    args,
    async run({ rawArgs }) {
      const flags = readFlags(rawArgs, args);
      const migration = complete(await readSource(flags, product));
      const ids = flags.one("users") === undefined ? generateIds() : await readIds(flags.one("users")!);
      const isDry = flags.has("dry-run");
      const mayCall = await hasCredentials(flags, migration);
      const perform = async (client: Client | null) => {
        const steps = await makePlan(migration, product.title, client, flags.has("force"));
        const outcomes = isDry || !client ? [] : await carryOut(steps, product.title, client, flags);
        return { lines: toReport(migration, steps, outcomes, ids), outcomes };
      };
      if (!isDry && !mayCall && migration.segments.length > 0)
        throw usageFailure(
          "Only users create segments: specify --username (or ASSAY_USERNAME), with the password in ASSAY_PASSWORD",
        );
      const { lines, outcomes } = await (isDry && !mayCall ? perform(null) : withClient(flags, perform));
      print(flags, lines, () => formatReport(lines, product.title, !isDry));
      if (outcomes.some(({ reason }) => reason !== null)) throw new CommandFailure("", 1);
    },
  });
}

async function carryOut(steps: readonly PlanStep[], product: string, client: Client, flags: Flags): Promise<Outcome[]> {
  const isProposed = flags.has("propose");
  if (steps.some(({ action }) => action === "create" || action === "update")) await requireRightWay(client, isProposed);
  return applyPlan(steps, product, client, { isProposed, reason: flags.one("reason") || undefined });
}

async function readSource(flags: Flags, { read, headersOf }: Product) {
  const token = process.env.ASSAY_MIGRATE_TOKEN;
  const places = [requireWord(flags, 0, "the file or URL to migrate"), ...flags.all("with")];
  const payloads: unknown[] = [];
  for (const place of places) payloads.push(await readSourceJson(place, token ? headersOf(token) : {}));
  return read(payloads, { environment: flags.one("environment") });
}

/** Whether the credentials suffice to read and write what is migrated: segments are for users alone. */
async function hasCredentials(flags: Flags, { segments }: Migration): Promise<boolean> {
  const { apiKey, username, password } = await readServer(flags, process.env);
  return Boolean((username && password) || (apiKey && segments.length === 0));
}

/** `assay migrate`: creates the flags of another product in Assay. */
export const migrate: CommandDef = defineCommand({
  meta: { name: "migrate", description: "Migrate flags, segments and experiments from another product" },
  subCommands: Object.fromEntries(
    Object.entries(PRODUCTS).map(([name, product]) => [name, migrateFrom(name, product)]),
  ),
});

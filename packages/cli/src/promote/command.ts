import type { Client } from "@assay/client";
import { compare, readDefinitions, type Step } from "@assay/client/definitions";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { USER_ARGS, withUser } from "../connection.ts";
import { apply } from "../definitions/apply.ts";
import { describeSteps, shownSteps } from "../definitions/description.ts";
import { describeProposals, proposeSteps } from "../definitions/propose.ts";
import { PROPOSE_ARGS, requireRightWay } from "../definitions/protection.ts";
import { CommandFailure, usageFailure } from "../failure.ts";
import { type Flags, readFlags } from "../flags.ts";
import { print } from "../output.ts";
import { refuse } from "./promotion.ts";

const { environment: _, ...userArgs } = USER_ARGS;
const args: ArgsDef = {
  key: { type: "positional", required: false, description: "Flags, segments and experiments (default all); several" },
  from: { type: "string", valueHint: "name", description: "Environment to take from" },
  to: { type: "string", valueHint: "name", description: "Environment to change" },
  "dry-run": { type: "boolean", description: "Print the difference, and change nothing" },
  ...PROPOSE_ARGS,
  ...userArgs,
};

/** `assay promote`: takes flags, segments and experiments from one environment to another. */
export const promote: CommandDef = defineCommand({
  meta: { name: "promote", description: "Take flags, segments and experiments from one environment to another" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args, true);
    const [from, to] = [requireName(flags, "from"), requireName(flags, "to")];
    if (from === to) throw usageFailure("--from and --to name the same environment");
    const chosen = new Set(flags.positionals);
    const isWanted = (key: string) => chosen.size === 0 || chosen.has(key);
    const source = await withUser(within(flags, from), (client) => readDefinitions(client, isWanted));
    const known = new Set(source.map(({ key }) => key));
    const missing = [...chosen].find((key) => !known.has(key));
    if (missing !== undefined) throw usageFailure(`There is no flag, segment or experiment "${missing}" in ${from}`);
    const isThere = (key: string) => known.has(key);
    await withUser(within(flags, to), async (client) => {
      const plan = compare(source, await readDefinitions(client, isThere), refuse);
      const isDry = flags.has("dry-run");
      const steps = isDry ? plan : await carryOut(client, plan, flags, flags.one("reason") || `Promoted from ${from}`);
      print(flags, shownSteps(steps), () => describe(plan, steps, to, isDry));
      const refused = steps.filter(({ refusal }) => refusal !== null).length;
      const verb = flags.has("propose") ? "proposed" : "promoted";
      if (refused > 0 && !isDry) throw new CommandFailure(`${refused} of ${steps.length} could not be ${verb}`, 1);
    });
  },
});

/** Makes or proposes the changes of a plan. Returns what became of them. */
async function carryOut(client: Client, plan: Step[], flags: Flags, reason: string): Promise<Step[]> {
  const isProposed = flags.has("propose");
  if (plan.every(({ refusal }) => refusal !== null)) return plan;
  await requireRightWay(client, isProposed);
  if (isProposed) return proposeSteps(client, plan, reason);
  await apply(client, plan, reason);
  return plan;
}

function requireName(flags: Flags, option: string): string {
  const name = flags.one(option);
  if (!name) throw usageFailure(`Specify the environment: --${option} NAME`);
  return name;
}

/** Returns the same options in another environment. */
function within(flags: Flags, environment: string): Flags {
  return { ...flags, one: (name) => (name === "environment" ? environment : flags.one(name)) };
}

function describe(plan: readonly Step[], steps: readonly Step[], to: string, isDry: boolean): string {
  if (steps.length === 0) return `Nothing differs in ${to}`;
  const done = steps.filter(({ refusal }) => refusal === null).length;
  const isProposed = steps.some(({ proposal }) => proposal !== undefined);
  const lines = isProposed ? describeProposals(plan, steps) : [`Promoted ${done} to ${to}`];
  const end = isDry ? [`${steps.length} differ in ${to}; nothing is changed`] : lines;
  return [...describeSteps(plan, "not promoted"), ...end].join("\n");
}

import type { Client } from "@assay/client";
import { readDefinitions, type Step } from "@assay/client/definitions";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { USER_ARGS, withUser } from "../connection.ts";
import { apply } from "../definitions/apply.ts";
import { describeSteps, shownSteps } from "../definitions/description.ts";
import { describeProposals, proposeSteps } from "../definitions/propose.ts";
import { isKill, PROPOSE_ARGS, requireRightWay } from "../definitions/protection.ts";
import { CommandFailure, usageFailure } from "../failure.ts";
import { type Flags, readFlags } from "../flags.ts";
import { confirm, findTerminal } from "../terminal.ts";
import { DEFAULT_DIRECTORY } from "../tree/directory.ts";
import { FILE_FIELDS } from "../tree/fields.ts";
import { describeProblem, type FileProblem } from "../tree/problem.ts";
import { readTree } from "../tree/read.ts";
import { makePlan, type PushPlan } from "./plan.ts";

const args: ArgsDef = {
  directory: { type: "positional", required: false, description: `Folder of the files (default ${DEFAULT_DIRECTORY})` },
  "dry-run": { type: "boolean", description: "Print the plan, and change nothing" },
  yes: { type: "boolean", description: "Carry out the plan without a question" },
  delete: { type: "boolean", description: "Delete what the server has and the files have not" },
  ...PROPOSE_ARGS,
  ...USER_ARGS,
};

/** `assay push`: changes a server to what the files of a folder say. */
export const push: CommandDef = defineCommand({
  meta: { name: "push", description: "Change flags, segments and experiments to what files say" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const directory = flags.positionals[0] ?? DEFAULT_DIRECTORY;
    const tree = await readTree(directory);
    refuseAll(tree.problems);
    if (tree.files.length === 0) throw usageFailure(`${directory} has no flags, segments or experiments (assay pull)`);
    await withUser(flags, async (client) => {
      const plan = makePlan(tree, await readDefinitions(client, () => true, FILE_FIELDS), flags.has("delete"));
      refuseAll(plan.problems);
      const isJson = flags.has("json");
      if (!isJson) console.log(describePlan(plan));
      const isDry = flags.has("dry-run");
      const steps = isDry ? plan.steps : await carryOut(client, plan.steps, flags);
      if (isJson) console.log(JSON.stringify(shownSteps(steps), null, 2));
      const refused = steps.filter(({ refusal }) => refusal !== null).length;
      const verb = flags.has("propose") ? "proposed" : "changed";
      if (refused > 0 && !isDry) throw new CommandFailure(`${refused} of ${steps.length} could not be ${verb}`, 1);
    });
  },
});

/** Makes or proposes the changes of a plan, and returns what became of them. */
async function carryOut(client: Client, plan: Step[], flags: Flags): Promise<Step[]> {
  const possible = plan.filter(({ refusal }) => refusal === null);
  if (possible.length === 0) return plan;
  const isProposed = flags.has("propose");
  if (isProposed || !possible.every(isKill)) await requireRightWay(client, isProposed);
  if (!flags.has("yes")) await requireConsent(`${isProposed ? "Propose" : "Carry out"} ${possible.length}`);
  const reason = flags.one("reason") || "Pushed from files";
  const steps = isProposed ? await proposeSteps(client, plan, reason) : plan;
  if (!isProposed) await apply(client, plan, reason);
  const lines = isProposed ? describeProposals(plan, steps) : [`Changed ${possible.length}`];
  if (!flags.has("json")) console.log(lines.join("\n"));
  return steps;
}

/** @throws {CommandFailure} with a line for each problem, if there is one */
function refuseAll(problems: readonly FileProblem[]): void {
  if (problems.length > 0) throw usageFailure(problems.map(describeProblem).join("\n"));
}

/** @throws {CommandFailure} unless a person agrees */
async function requireConsent(action: string): Promise<void> {
  const terminal = findTerminal();
  if (!terminal) throw usageFailure("Nothing is changed: specify --yes to carry out this plan");
  if (!(await confirm(terminal, `${action} of these changes?`))) throw new CommandFailure("Nothing is changed", 1);
}

function describePlan({ steps, unlisted }: PushPlan): string {
  const only = unlisted.map((name) => `${name}: only on the server, stays (--delete deletes it)`);
  if (steps.length === 0) return [...only, "Nothing differs"].join("\n");
  const count = (action: Step["action"]) => steps.filter((step) => step.action === action).length;
  const counts = `${count("create")} to create, ${count("update")} to change, ${count("delete")} to delete`;
  return [...describeSteps(steps, "not changed"), ...only, counts].join("\n");
}

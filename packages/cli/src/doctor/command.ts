import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CommandFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { print } from "../output.ts";
import { readServer, serverArgs } from "../server-address.ts";
import { checkConfiguration, checkNode } from "./machine.ts";
import { checkServer } from "./server.ts";

/** One thing that the doctor looked at. `advice` says how to mend what is wrong. */
export interface Finding {
  check: string;
  ok: boolean;
  detail: string;
  advice: string | null;
}

const args: ArgsDef = {
  ...serverArgs("key with the scope read"),
  json: { type: "boolean", description: "Write JSON" },
};

/** `assay doctor`: what is wrong here, and how to mend it. */
export const doctor: CommandDef = defineCommand({
  meta: { name: "doctor", description: "Check this machine, the profile and the server, and say how to mend problems" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const findings = [checkNode(process.versions.node), await checkConfiguration(process.env)];
    findings.push(...(await checkServer(await readServer(flags, process.env))));
    print(flags, findings, () => findings.map(describe).join("\n"));
    if (findings.some(({ ok }) => !ok)) throw new CommandFailure("", 1);
  },
});

function describe({ check, ok, detail, advice }: Finding): string {
  return `${ok ? "ok     " : "problem"}  ${check}: ${detail}${advice === null ? "" : `\n         ${advice}`}`;
}

import { type CommandDef, defineCommand } from "citty";

export const demo: CommandDef = defineCommand({
  meta: { name: "demo", description: "Try everything on a temporary server" },
});

import { type CommandDef, defineCommand } from "citty";

export const importing: CommandDef = defineCommand({
  meta: { name: "import", description: "Try everything on a temporary server" },
});

import { type CommandDef, defineCommand } from "citty";
import { create } from "./create.ts";
import { list } from "./list.ts";
import { revoke } from "./revoke.ts";
import { rotate } from "./rotate.ts";

/** `assay keys`: manages API keys, as a user. */
export const keys: CommandDef = defineCommand({
  meta: { name: "keys", description: "List, create, revoke and rotate API keys" },
  subCommands: { list, create, revoke, rotate },
});

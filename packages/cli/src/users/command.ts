import { type CommandDef, defineCommand } from "citty";
import { create } from "./create.ts";
import { list } from "./list.ts";
import { set } from "./set.ts";

/** `assay users`: manages people, as an ADMIN. */
export const users: CommandDef = defineCommand({
  meta: { name: "users", description: "List, create and change users" },
  subCommands: { list, create, set },
});

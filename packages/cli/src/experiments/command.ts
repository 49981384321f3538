import { type CommandDef, defineCommand } from "citty";
import { create, list, show } from "./definitions.ts";
import { archive, complete, pause, start } from "./lifecycle.ts";

/** `assay experiments`: reads, creates and moves experiments. */
export const experiments: CommandDef = defineCommand({
  meta: { name: "experiments", description: "List, create, start, pause, complete and archive experiments" },
  subCommands: { list, show, create, start, pause, complete, archive },
});

import { type CommandDef, defineCommand } from "citty";
import { create, kill, set } from "./changes.ts";
import { list, show } from "./reads.ts";
import { stale } from "./stale.ts";

/** `assay flags`: reads and changes the flags of a server. */
export const featureFlags: CommandDef = defineCommand({
  meta: { name: "flags", description: "List, create, change and switch off flags; find stale ones in a source tree" },
  subCommands: { list, show, create, set, kill, stale },
});

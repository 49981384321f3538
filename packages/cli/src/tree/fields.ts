import { DEFINING, type Kind } from "@assay/client/definitions";

/** The fields of a file, in their order: all that define what it is, and the status and rollout of a flag. */
export const FILE_FIELDS: Record<Kind, readonly string[]> = {
  ...DEFINING,
  flag: ["key", "name", "description", "status", "rollout_percentage", ...DEFINING.flag.slice(3)],
};

/** The fields that stay as the server has them if a file leaves them out; every other field then has its default. */
export const LEFT_ALONE: readonly string[] = ["status", "rollout_percentage"];

/** The folder of each kind. */
export const FOLDERS: Record<Kind, string> = { segment: "segments", flag: "flags", experiment: "experiments" };

/** Returns the field by which a file names its definition. */
export function nameField(kind: Kind): "key" | "name" {
  return kind === "segment" ? "name" : "key";
}

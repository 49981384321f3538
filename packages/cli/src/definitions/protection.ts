import type { Client } from "@assay/client";
import { ifAllowed, type Step } from "@assay/client/definitions";
import type { ArgsDef } from "citty";
import { usageFailure } from "../failure.ts";

/** The options of commands that change protected environments. */
export const PROPOSE_ARGS: ArgsDef = {
  propose: {
    type: "boolean",
    description: "Propose each change of a protected environment, which another user approves",
  },
  reason: {
    type: "string",
    valueHint: "text",
    description: "Reason of the changes, for proposals and the history of flags",
  },
};

/**
 * Checks, before anything is written, that changes are proposed exactly where they need approval.
 * @throws {CommandFailure} naming `--propose`
 */
export async function requireRightWay(client: Client, isProposed: boolean): Promise<void> {
  // An API key may not ask; the server then refuses each change.
  const all = await ifAllowed(client.request("GET /environments"));
  const environment = all?.find(({ is_current }) => is_current);
  if (!environment || environment.is_protected === isProposed) return;
  const name = `The environment ${JSON.stringify(environment.name)}`;
  throw usageFailure(
    isProposed
      ? `${name} is not protected, so its changes need no approval: leave out --propose`
      : `${name} is protected, so nothing is changed: specify --propose, and another user approves each change`,
  );
}

/** Whether a step only turns a flag off, which needs no approval. */
export function isKill({ kind, action, changes }: Step): boolean {
  const [change, ...others] = changes;
  if (kind !== "flag" || action !== "update" || others.length > 0) return false;
  return change?.field === "status" && change.from === "ACTIVE" && change.to === "INACTIVE";
}

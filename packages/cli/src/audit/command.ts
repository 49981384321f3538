import { randomUUID } from "node:crypto";
import { redactAudit, verifyAudit } from "@assay/server";
import type { Store } from "@assay/store";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CommandFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { readNamespace } from "../serve/operation-settings.ts";
import { DATA_ARGS, withData } from "../serve/storage.ts";
import { type AuditSettings, readAuditSettings } from "./settings.ts";

const args: ArgsDef = {
  task: { type: "positional", required: false, description: "verify or redact" },
  sequence: { type: "positional", required: false, description: "Entry to redact" },
  ...DATA_ARGS,
  anchor: { type: "string", valueHint: "sequence:hash", description: "Earlier head of the trail, stored elsewhere" },
  part: { type: "string", description: "actor, resource or values; may be repeated" },
  reason: { type: "string", description: "Reason for the redaction" },
};

/** `assay audit`: verifies the sealed trail in the data of a server, or redacts a part of one entry. */
export const audit: CommandDef = defineCommand({
  meta: { name: "audit", description: "Verify the sealed audit trail, or redact an entry (ASSAY_AUDIT_KEY)" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const settings = readAuditSettings(flags, process.env);
    await withData(settings.storage, readNamespace(flags, process.env), (store) =>
      settings.task.name === "verify" ? verify(store, settings) : redact(store, settings.task),
    );
  },
});

async function verify(store: Store, { key, anchor }: AuditSettings): Promise<void> {
  const { valid, checked, redacted, unsealed, head, problems } = await verifyAudit(store, { key, anchor });
  for (const { sequence, kind, detail } of problems) console.log(`${sequence} ${kind}: ${detail}`);
  console.log(`${checked} entries checked, ${redacted} of them redacted, ${unsealed} not sealed yet`);
  if (head) console.log(`Head: ${head.sequence}:${head.hash}`);
  console.log(valid ? "The trail is valid" : "The trail is NOT valid");
  if (!valid) throw new CommandFailure("", 1);
}

async function redact(store: Store, task: AuditSettings["task"] & { name: "redact" }): Promise<void> {
  const { sequence, parts, reason } = task;
  await redactAudit(store, { sequence, parts, reason, now: Date.now(), id: randomUUID() });
  console.log(`Entry ${sequence} is redacted: ${parts.join(", ")}`);
}

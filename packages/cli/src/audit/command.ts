import { randomUUID } from "node:crypto";
import { redactAudit, verifyAudit } from "@assay/server";
import { namespaced, type Store } from "@assay/server/store";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CommandFailure, failure, reasonOf } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { openStore } from "../serve/storage.ts";
import { type AuditSettings, readAuditSettings } from "./settings.ts";

const args: ArgsDef = {
  task: { type: "positional", required: false, description: "verify or redact" },
  sequence: { type: "positional", required: false, description: "Entry to redact" },
  data: { type: "string", valueHint: "dir", description: "Where the data is kept (ASSAY_DATA, default ./data)" },
  storage: { type: "string", description: "lmdb:DIR or fs:DIR (ASSAY_STORAGE)" },
  namespace: { type: "string", description: "Of the server, where it has one" },
  anchor: { type: "string", valueHint: "sequence:hash", description: "A head that was kept elsewhere" },
  part: { type: "string", description: "actor, resource or values; may be repeated" },
  reason: { type: "string", description: "Why it is redacted" },
};

/** `assay audit`: checks the sealed trail in a server's data, or blanks a part of one entry. */
export const audit: CommandDef = defineCommand({
  meta: { name: "audit", description: "Verify the sealed audit trail, or redact an entry (ASSAY_AUDIT_KEY)" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const settings = readAuditSettings(flags, process.env);
    const store = await openStore(settings.storage);
    try {
      const own = namespaced(store, flags.one("namespace") ?? "");
      await (settings.task.name === "verify" ? verify(own, settings) : redact(own, settings.task));
    } catch (error) {
      throw error instanceof CommandFailure ? error : failure(reasonOf(error), error);
    } finally {
      await store.close();
    }
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

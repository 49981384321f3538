import {
  type AuditFilter,
  type AuditLogEntry,
  type ComplianceEvent,
  type ComplianceReport,
  type Integrity,
  REDACTABLE_PARTS,
  type RedactablePart,
} from "@assay/contract";
import type { Store } from "@assay/store";
import { GENESIS, hashPart, SEALS_JOURNAL, type Seal, sign } from "../../audit/chain.ts";
import { outcomeOf } from "../../audit/entry.ts";
import type { AuditKey } from "../../audit/keys.ts";
import type { AuditLog } from "../../audit/log.ts";
import { hidePeople, seesPeople } from "../../audit/privacy.ts";
import type { Sealer } from "../../audit/sealer.ts";
import { verifyAudit } from "../../audit/verify.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { createSlices } from "../../ground/slices.ts";
import { MAX_RESPONSE_BYTES } from "../../http/response-limit.ts";
import type { Trail } from "../../identity/trail.ts";
import type { Caller } from "../../model/caller.ts";
import type { Actor } from "../../storage/change.ts";
import { AUDIT_JOURNAL } from "../../storage/collection.ts";
import { parseBytes } from "../../storage/json.ts";
import { type Control, evidenceFor, ISO27001_CONTROLS, SOC2_CONTROLS } from "./controls.ts";
import { CSV_HEADER, toCsvLine } from "./csv.ts";

/** The part of the trail to export, and the format. */
export type ExportRequest = AuditFilter & { format: "json" | "csv"; after: number; through?: number | undefined };

/** One part of an export. */
export interface ExportPart {
  text: string;
  through: number;
  /** Sequence to continue after. Null for the last part. */
  next: number | null;
}

export interface ComplianceService {
  /** Below ADMIN, without e-mail addresses and wizard drafts; the parts that contained some count as redacted. */
  events(
    query: AuditFilter & { page: number; page_size: number },
    caller: Caller,
  ): Promise<{
    items: ComplianceEvent[];
    total: number;
    page: number;
    page_size: number;
  }>;
  /** The controls of a framework with the evidence of the rolling period. */
  report(framework: "SOC2" | "ISO27001"): Promise<ComplianceReport>;
  /** At most 10 MB. Each part is a complete document. */
  exportPart(request: ExportRequest, actor: Actor): Promise<ExportPart>;
  /** The `X-Audit-Signature` of a body. */
  sign(text: string): string;
}

const DAY_MS = 24 * 3600 * 1000;
const FRAMEWORKS: Record<"SOC2" | "ISO27001", { days: number; controls: Control[] }> = {
  SOC2: { days: 365, controls: SOC2_CONTROLS },
  ISO27001: { days: 730, controls: ISO27001_CONTROLS },
};

export function createComplianceService(deps: {
  store: Store;
  runtime: Runtime;
  log: AuditLog;
  sealer: Sealer;
  key: AuditKey;
  trail: Trail;
}): ComplianceService {
  const { store, runtime, log, sealer, key, trail } = deps;
  let verifying: Promise<Integrity> | null = null;

  async function sealAt(sequence: number): Promise<Seal | null> {
    const [record] = sequence > 0 ? await store.read(SEALS_JOURNAL, sequence - 1, 1) : [];
    return record?.position === sequence ? parseBytes<Seal>(record.record) : null;
  }

  async function toEvent(entry: AuditLogEntry): Promise<ComplianceEvent> {
    const seal = await sealAt(entry.sequence);
    const previous = entry.sequence === 1 ? GENESIS : ((await sealAt(entry.sequence - 1))?.hash ?? null);
    const hashes = (entry.redacted ?? []).map((part) => [part, seal?.parts?.[part] ?? ""]);
    return {
      ...entry,
      outcome: outcomeOf(entry.action),
      previous_hash: seal && previous,
      hash: seal?.hash ?? null,
      signature: seal?.signature ?? null,
      ...(entry.redacted ? { part_hashes: Object.fromEntries(hashes) } : {}),
    };
  }

  /** Runs one verification at a time. Concurrent callers share the result. */
  function verify(): Promise<Integrity> {
    verifying ??= verifyAudit(store, { key: new TextDecoder().decode(key.secret) }).finally(() => {
      verifying = null;
    });
    return verifying;
  }

  /** Marks the parts that differ as redacted, so that their hashes come from the seal and the chain still verifies. */
  function withoutPeople(entry: AuditLogEntry): AuditLogEntry {
    const shown = hidePeople(entry);
    if (shown === entry) return entry;
    const isChanged = (part: RedactablePart) => hashPart(shown, part) !== hashPart(entry, part);
    const redacted = REDACTABLE_PARTS.filter((part) => entry.redacted?.includes(part) || isChanged(part));
    return redacted.length > 0 ? { ...shown, redacted } : entry;
  }

  return {
    async events({ page, page_size, ...filter }, caller) {
      await sealer.catchUp();
      const slice = { skip: (page - 1) * page_size, limit: page_size, newestFirst: false };
      const { items, total } = await log.page(filter, slice);
      const shown = seesPeople(caller) ? items : items.map(withoutPeople);
      return { items: await Promise.all(shown.map(toEvent)), total, page, page_size };
    },
    async report(framework) {
      await sealer.catchUp();
      const { days, controls } = FRAMEWORKS[framework];
      const end = runtime.now();
      const period = { start: timestampOf(end - days * DAY_MS), end: timestampOf(end), days };
      const actions = await log.actions({ start_date: period.start, end_date: period.end });
      return {
        framework,
        generated_at: period.end,
        period,
        controls: controls.map((control) => {
          const evidence = evidenceFor(control, actions);
          const evidence_count = Object.values(evidence).reduce((sum, count) => sum + count, 0);
          const status = evidence_count > 0 ? "EVIDENCED" : "NO_EVIDENCE";
          return { id: control.id, name: control.name, evidence_count, evidence, status };
        }),
        total_events: [...actions.values()].reduce((sum, count) => sum + count, 0),
        integrity: await verify(),
      };
    },
    async exportPart({ format, after, through, ...filter }, actor) {
      await sealer.catchUp();
      const last = through ?? (await store.head(AUDIT_JOURNAL));
      const toText = format === "csv" ? toCsvLine : (event: ComplianceEvent) => JSON.stringify(event);
      const texts: string[] = [];
      let size = 1024;
      let position = after;
      let next: number | null = null;
      const slices = createSlices();
      for await (const entry of log.entries(filter, after, last)) {
        const text = toText(await toEvent(entry));
        size += Buffer.byteLength(text) + 1;
        if (size > MAX_RESPONSE_BYTES && texts.length > 0) {
          next = position;
          break;
        }
        texts.push(text);
        position = entry.sequence;
        if (slices.isOver()) await slices.next();
      }
      const detail = { format, after, through: last, entries: texts.length, filter: { ...filter } };
      trail.record({ action: "compliance.export", actor, resource_type: "audit_trail", detail });
      if (format === "csv") return { text: CSV_HEADER + texts.join(""), through: last, next };
      return { text: `{"items":[${texts.join(",")}],"after":${after},"through":${last}}`, through: last, next };
    },
    sign: (text) => `sha256=${sign(text, key.secret)}`,
  };
}

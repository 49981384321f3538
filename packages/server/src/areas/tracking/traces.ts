import type { EtlRun, PersonTrace } from "@assay/contract";
import { listAll, prefixOf, type Store } from "@assay/store";
import { toAuditRecord } from "../../audit/entry.ts";
import { isApiError } from "../../ground/errors.ts";
import { createSlices } from "../../ground/slices.ts";
import { countKeptAnswers } from "../../http/kept-answers.ts";
import { ETL_RUNS } from "../../model/etl-run.ts";
import type { SegmentRecord } from "../../model/segment.ts";
import type { Change } from "../../storage/change.ts";
import { AUDIT_JOURNAL, type Collection } from "../../storage/collection.ts";
import type { Mention } from "../../storage/document.ts";
import { parseBytes } from "../../storage/json.ts";

/** Finds and removes the ids of a person outside assignments and events. */
export interface Traces {
  /** Removes the ids from the `user_ids` of the segments that the caller may change. Returns the changed segments. */
  remove(ids: readonly string[], by: Change): Promise<PersonTrace[]>;
  /** Lists what still contains an id, or may contain one, with what to do about it. */
  find(ids: readonly string[]): Promise<PersonTrace[]>;
}

/** The part of a collection that a search needs. */
interface Searchable {
  mentions(texts: readonly string[]): Promise<Mention[]>;
}

const PAGE = 100;
const ADVICE = {
  document: "Remove the id from it, or delete it",
  segment: "The id was removed from user_ids",
  export_file: "It may contain events of the person: delete it from the exports directory",
  kept_answer: "The server deletes it within 24 hours",
};

/** Creates the search over all stored documents, kept answers, exports and the audit trail. */
export function createTraces(deps: {
  store: Store;
  segments: Collection<SegmentRecord>;
  documents: readonly Searchable[];
}): Traces {
  const { store, segments, documents } = deps;

  async function inDocuments(ids: readonly string[]): Promise<PersonTrace[]> {
    const found: PersonTrace[] = [];
    for (const one of documents) {
      for (const mention of await one.mentions(ids)) found.push({ ...mention, advice: ADVICE.document });
    }
    return found;
  }

  async function exportFiles(): Promise<PersonTrace[]> {
    const found: PersonTrace[] = [];
    for await (const { value } of listAll(store, prefixOf(ETL_RUNS), PAGE)) {
      const { run_id, files } = parseBytes<Pick<EtlRun, "run_id" | "files">>(value);
      for (const { name } of files) {
        const advice = ADVICE.export_file;
        found.push({ resource_type: "export_file", resource_id: run_id, resource_name: name, advice });
      }
    }
    return found;
  }

  async function keptAnswers(ids: readonly string[]): Promise<PersonTrace[]> {
    const count = await countKeptAnswers(store, ids);
    const trace = { resource_type: "kept_answer", resource_id: null, resource_name: null, advice: ADVICE.kept_answer };
    return Array.from({ length: count }, () => trace);
  }

  async function auditEntries(ids: readonly string[]): Promise<PersonTrace[]> {
    const quoted = ids.map((id) => Buffer.from(JSON.stringify(id)));
    const found: PersonTrace[] = [];
    const slices = createSlices();
    for (let after = 0; ; ) {
      const records = await store.read(AUDIT_JOURNAL, after, PAGE);
      for (const record of records) {
        after = record.position;
        if (slices.isOver()) await slices.next();
        const bytes = Buffer.from(record.record.buffer, record.record.byteOffset, record.record.byteLength);
        if (!quoted.some((text) => bytes.includes(text))) continue;
        const { id, sequence, action } = toAuditRecord(record);
        const advice = `Redact it: assay audit redact ${sequence} --part resource --part values`;
        found.push({ resource_type: "audit_entry", resource_id: id, resource_name: action, advice });
      }
      if (records.length < PAGE) return found;
    }
  }

  return {
    async remove(ids, by) {
      const erased = new Set(ids);
      const changed: PersonTrace[] = [];
      for (const segment of segments.all()) {
        if (!segment.user_ids.some((id) => erased.has(id))) continue;
        const change = (current: SegmentRecord) => ({
          ...current,
          user_ids: current.user_ids.filter((id) => !erased.has(id)),
        });
        try {
          // The audit entry would keep the erased ids.
          await segments.update(segment.id, change, { ...by, action: "segment.erase_person", omitted: ["user_ids"] });
        } catch (error) {
          // Without the right to change the segment, it stays in the list of what is left.
          if (isApiError(error) && error.status < 500) continue;
          throw error;
        }
        const { id, name } = segment;
        changed.push({ resource_type: "segment", resource_id: id, resource_name: name, advice: ADVICE.segment });
      }
      return changed;
    },
    async find(ids) {
      return [
        ...(await inDocuments(ids)),
        ...(await exportFiles()),
        ...(await keptAnswers(ids)),
        ...(await auditEntries(ids)),
      ];
    },
  };
}

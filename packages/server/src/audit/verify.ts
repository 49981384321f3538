import type { Integrity } from "@assay/contract";
import type { Store } from "@assay/store";
import { createSlices } from "../ground/slices.ts";
import { AUDIT_JOURNAL } from "../storage/collection.ts";
import { parseBytes } from "../storage/json.ts";
import { type AuditHead, GENESIS, hashPart, linkHash, PARTS, SEALS_JOURNAL, type Seal, sign } from "./chain.ts";
import { toAuditRecord } from "./entry.ts";
import { type AuditKey, storedKey, toAuditKey } from "./keys.ts";
import { HEAD_KEY } from "./sealer.ts";

/** What to compare the chain with. */
export interface VerifyOptions {
  /** The `audit.key` of the server, if set. */
  key?: string | undefined;
  /** A head kept elsewhere. The chain must contain it. */
  anchor?: Pick<AuditHead, "sequence" | "hash"> | undefined;
}

type Problem = Integrity["problems"][number];

/** Entries are up to 2 MB each, so pages are small. */
const PAGE = 100;
const MAX_PROBLEMS = 100;

/** Checks every entry against its seal, each seal against the previous one, and the last one against the head. */
export async function verifyAudit(store: Store, { key, anchor }: VerifyOptions = {}): Promise<Integrity> {
  const keys = [key === undefined ? null : toAuditKey(key), await storedKey(store)].filter((one) => one !== null);
  const stored = await store.get(HEAD_KEY);
  const head = stored ? parseBytes<AuditHead>(stored.value) : null;
  const problems: Problem[] = [];
  const report = (sequence: number, kind: Problem["kind"], detail: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ sequence, kind, detail });
  };
  const places = createPlaces(store);
  const lastEntry = await store.head(AUDIT_JOURNAL);
  let [previous, sequence, checked, redacted] = [GENESIS, 0, 0, 0];
  let position = 0;

  const slices = createSlices();
  for (;;) {
    const page = await store.read(SEALS_JOURNAL, position, PAGE);
    if (page.length === 0) break;
    position = page.at(-1)!.position;
    const seals = page.map(({ record }) => parseBytes<Seal>(record));
    const sequences = seals.map((seal) => seal.sequence);
    const from = Math.min(...sequences) - 1;
    const records = await store.read(AUDIT_JOURNAL, from, Math.max(...sequences) - from);
    const entries = new Map(records.map((record) => [record.position, record]));
    for (const seal of seals) {
      if (slices.isOver()) await slices.next();
      if (seal.sequence !== sequence + 1) report(sequence + 1, "REMOVED", "The seal is missing");
      checkSeal(seal, previous, keys, report);
      if (anchor?.sequence === seal.sequence && anchor.hash !== seal.hash) {
        report(seal.sequence, "FORGED", "The chain does not contain the anchor");
      }
      [previous, sequence] = [seal.hash, seal.sequence];
      const record = entries.get(seal.sequence);
      if (!seal.parts) continue;
      if (!record) {
        if (seal.sequence > lastEntry) report(seal.sequence, "CUT_OFF", "The trail ends before this entry");
        else report(seal.sequence, "REMOVED", "The entry is missing or cannot be read");
        continue;
      }
      const entry = toAuditRecord(record);
      checked++;
      if (entry.redacted) redacted++;
      if (entry.id !== seal.id) {
        const elsewhere = await places.of(seal.id!);
        if (elsewhere === undefined) report(seal.sequence, "REMOVED", `Entry ${seal.id} is missing`);
        else report(seal.sequence, "REORDERED", `Entry ${seal.id} is at position ${elsewhere}`);
        continue;
      }
      const blank = new Set<string>(entry.redacted ?? []);
      const changed = PARTS.filter((part) => !blank.has(part) && hashPart(entry, part) !== seal.parts![part]);
      if (changed.length > 0) report(seal.sequence, "CHANGED", `Changed: ${changed.join(", ")}`);
    }
  }

  if (head && head.sequence > sequence) report(head.sequence, "CUT_OFF", `The seals end at ${sequence}`);
  else if (head && head.sequence === sequence && head.hash !== previous) {
    report(sequence, "FORGED", "The last seal is not the one that the head names");
  } else if (!head && sequence > 0) report(sequence, "CUT_OFF", "The head is missing");
  if (anchor && anchor.sequence > sequence) report(anchor.sequence, "CUT_OFF", "The chain ends before the anchor");
  return {
    valid: problems.length === 0,
    checked,
    redacted,
    unsealed: Math.max(0, lastEntry - sequence),
    head: head && { sequence: head.sequence, hash: head.hash, signature: head.signature },
    problems,
  };
}

function checkSeal(
  seal: Seal,
  previous: string,
  keys: AuditKey[],
  report: (sequence: number, kind: Problem["kind"], detail: string) => void,
): void {
  if (linkHash(previous, seal.sequence, seal.parts) !== seal.hash) {
    report(seal.sequence, "FORGED", "The seal does not match the previous seal");
  }
  const key = keys.find(({ id }) => id === seal.key_id);
  if (!key) report(seal.sequence, "UNKNOWN_KEY", `Signed with the key ${seal.key_id}, which is not available`);
  else if (sign(seal.hash, key.secret) !== seal.signature) report(seal.sequence, "FORGED", "The signature is wrong");
}

/** Positions of entries. Reads the whole trail once, when the first entry is out of place. */
function createPlaces(store: Store) {
  let places: Map<string, number> | undefined;
  return {
    async of(id: string): Promise<number | undefined> {
      if (!places) {
        places = new Map();
        const slices = createSlices();
        for (let after = 0; ; ) {
          const records = await store.read(AUDIT_JOURNAL, after, PAGE);
          for (const record of records) {
            places.set(toAuditRecord(record).id, record.position);
            if (slices.isOver()) await slices.next();
          }
          if (records.length < PAGE) break;
          after = records.at(-1)!.position;
        }
      }
      return places.get(id);
    },
  };
}

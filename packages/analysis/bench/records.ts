/**
 * What it takes to write and to read journal records: `pnpm --filter @assay/analysis bench:records`. Writes and reads the
 * columns of 1,000 records of 100 events by users of 50,000, as bytes (version 3) and as JSON (version 2). Reading includes
 * what the analysis needs, which is all but the ids of events. Prints microseconds of CPU a record: medians of 31 rounds in
 * turns.
 */
import { randomUUID } from "node:crypto";
import { decodeColumns, encodeColumns } from "../src/record-bytes.ts";
import { createColumns, type RecordColumns } from "../src/record-columns.ts";

const RECORDS = 1_000;
const EVENTS = 100;
const USERS = 50_000;
const ROUNDS = 31;
const AT = Date.UTC(2026, 0, 9);

/** Users as ids are often written. */
const FORMS: Record<string, (user: number) => string> = {
  "user-12345": (user) => `user-${user}`,
  UUID: (user) => `${user.toString(16).padStart(8, "0")}-9f2c-4a7b-8d1e-3b5c6d7e8f90`,
};

function recordOf(record: number, toId: (user: number) => string): RecordColumns {
  const columns = createColumns(AT, EVENTS);
  for (let index = 0; index < EVENTS; index++) {
    const user = (record * 7919 + index * 104_729) % USERS;
    const references = { experimentId: "checkout", variantKey: user % 2 ? "treatment" : "control", flagKey: null };
    const kind = columns.kind(user % 3 ? "visit" : "purchase", references, false);
    // As from the JSON of a request.
    const [id, userId] = JSON.parse(JSON.stringify([randomUUID(), toId(user)])) as [string, string];
    columns.add(kind, id, userId, AT - index, user, null);
  }
  return columns.build([]);
}

const encoder = new TextEncoder();

/** Writes version 2. */
function toJson(columns: RecordColumns): Uint8Array {
  const { at, userIds, kinds, kindOf, times, values } = columns;
  const rows = kinds.map(({ type, experimentId, variantKey }) => [type, experimentId, variantKey]);
  const after = times.map((time) => time - at);
  return encoder.encode(JSON.stringify([2, at, columns.ids().join("\n"), userIds, rows, kindOf, after, values]));
}

for (const [form, toId] of Object.entries(FORMS)) {
  const columns = Array.from({ length: RECORDS }, (_, record) => recordOf(record, toId));
  const [bytes, json] = [columns.map(encodeColumns), columns.map(toJson)];
  const subjects: Record<string, (record: number) => unknown> = {
    "write JSON": (record) => toJson(columns[record]!),
    "write bytes": (record) => encodeColumns(columns[record]!),
    "read JSON": (record) => decodeColumns(json[record]!),
    "read bytes": (record) => decodeColumns(bytes[record]!),
  };
  const figures = new Map<string, number[]>(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS * 2; round++) {
    for (const [name, run] of Object.entries(subjects)) {
      const began = process.cpuUsage();
      for (let record = 0; record < RECORDS; record++) run(record);
      const { user, system } = process.cpuUsage(began);
      // The first half is not compiled yet.
      if (round >= ROUNDS) figures.get(name)!.push((user + system) / RECORDS);
    }
  }
  for (const [name, microseconds] of figures) {
    const median = microseconds.toSorted((a, b) => a - b)[ROUNDS >> 1]!;
    console.log(`${form.padEnd(12)}${name.padEnd(12)}${median.toFixed(1).padStart(6)} us`);
  }
  const sizes = [json, bytes].map((all) => all.reduce((sum, { length }) => sum + length, 0) / RECORDS);
  console.log(`${form.padEnd(12)}bytes of a record: ${sizes.map((size) => size.toFixed(0)).join(" in JSON, ")}`);
}

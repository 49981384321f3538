/**
 * What it takes to find the users of events among those whose assignments are stored: `pnpm --filter @assay/server
 * bench:fingerprints`. Each round looks up 100 users of 50,000, parsed from JSON as a batch of events has them, after work that
 * uses the processor's caches for other data, as a server has between two batches. Prints nanoseconds of a lookup, the
 * rest subtracted: medians of 301 rounds in turns.
 */
import { createFingerprintTable } from "../src/events/fingerprint-table.ts";

const USERS = 50_000;
const BATCH = 100;
const ROUNDS = 301;

/** Users as ids are often written. */
const FORMS: Record<string, (user: number) => string> = {
  "user-12345": (user) => `user-${user}`,
  UUID: (user) => `${user.toString(16).padStart(8, "0")}-9f2c-4a7b-8d1e-3b5c6d7e8f90`,
};

const other = new Float64Array(2 ** 22);
const useCaches = () => {
  for (let at = 0; at < other.length; at += 8) other[at]! += 1;
};

for (const [form, toId] of Object.entries(FORMS)) {
  const set = new Set<string>();
  const table = createFingerprintTable();
  for (let user = 0; user < USERS; user++) {
    set.add(toId(user));
    table.add(toId(user), 1);
  }
  // Users of a batch are apart, as the browsers of a site are.
  const bodies = Array.from({ length: USERS / BATCH }, (_, batch) =>
    JSON.stringify(Array.from({ length: BATCH }, (_, index) => toId((batch + index * (USERS / BATCH)) % USERS))),
  );
  const subjects = {
    nothing: () => true,
    Set: (id: string) => set.has(id),
    table: (id: string) => table.has(id, 1),
  };
  const figures = new Map<string, number[]>(Object.keys(subjects).map((name) => [name, []]));
  let next = 0;
  const measure = (has: (id: string) => boolean) => {
    const ids = JSON.parse(bodies[next++ % bodies.length]!) as string[];
    useCaches();
    const began = performance.now();
    let found = 0;
    for (const id of ids) if (has(id)) found++;
    const ms = performance.now() - began;
    if (found !== BATCH) throw new Error(`${found} users were found`);
    return (ms * 1e6) / BATCH;
  };
  for (let round = 0; round < ROUNDS * 2; round++) {
    for (const [name, has] of Object.entries(subjects)) {
      const nanoseconds = measure(has);
      // The first half is not compiled yet.
      if (round >= ROUNDS) figures.get(name)!.push(nanoseconds);
    }
  }
  const median = (name: string) => figures.get(name)!.toSorted((a, b) => a - b)[ROUNDS >> 1]!;
  for (const name of ["Set", "table"]) {
    console.log(`${form.padEnd(12)}${name.padEnd(8)}${(median(name) - median("nothing")).toFixed(0).padStart(6)} ns`);
  }
}

import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeDirectory } from "../ground/directory.ts";
import { BufferFull, type EventBuffer, openBuffer } from "./buffer.ts";
import { toLine } from "./record.ts";

let path: string;
let warnings: string[];
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "assay-buffer-"));
  warnings = [];
});
afterEach(() => rm(path, { recursive: true, force: true }));

interface Opened extends EventBuffer {
  /** Stops as a crash does: without any further write. */
  crash(): Promise<void>;
}

async function open(capacity = 1_000_000): Promise<Opened> {
  const directory = await takeDirectory(path);
  const logger = { warn: (message: string) => void warnings.push(message) };
  const buffer = await openBuffer(directory, capacity, logger, () => {});
  const crash = async () => {
    await buffer.close();
    await directory.release();
  };
  return Object.assign(buffer, { crash });
}

const recordOf = (names: string[], key: string | null = null) => ({
  at: 1,
  sender: key === null ? null : { key, origin: null },
  events: names.map((name) => ({ name })),
});

/** Delivers everything, and returns the senders and names of its events. */
async function drain(buffer: EventBuffer): Promise<[key: string | null, name: string][]> {
  const delivered: [string | null, string][] = [];
  for (let batch = await buffer.oldest(); batch; batch = await buffer.oldest()) {
    for (const event of batch.events) delivered.push([batch.sender?.key ?? null, (event as { name: string }).name]);
    await buffer.forget(batch);
  }
  return delivered;
}

const files = async () => (await readdir(path)).filter((name) => name.endsWith(".log")).sort();

type Step = { do: "append"; key: string | null; count: number } | { do: "deliver" | "crash" | "tear" };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      key: fc.constantFrom(null, "a", "b"),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("deliver" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("crash" as const, "tear" as const) }) },
);

test("gives back every record once and in order, also after crashes with a half-written end", async () => {
  const property = async (steps: Step[]) => {
    await rm(path, { recursive: true, force: true });
    // Small files, so that many are begun and removed.
    let buffer = await open(4_000);
    let expected: [string | null, string][] = [];
    const delivered: [string | null, string][] = [];
    const accepted: [string | null, string][] = [];
    let next = 0;
    closing = () => buffer.crash();
    for (const one of steps) {
      if (one.do === "append") {
        const names = Array.from({ length: one.count }, () => `e${next++}`);
        const isKept = await buffer.append(recordOf(names, one.key)).then(
          () => true,
          (error) => {
            expect(error).toBeInstanceOf(BufferFull);
            return false;
          },
        );
        if (!isKept) continue;
        for (const name of names) {
          expected.push([one.key, name]);
          accepted.push([one.key, name]);
        }
      } else if (one.do === "deliver") {
        const batch = await buffer.oldest();
        expect(batch === undefined).toBe(expected.length === 0);
        if (!batch) continue;
        for (const event of batch.events) delivered.push([batch.sender?.key ?? null, (event as { name: string }).name]);
        expected = expected.slice(batch.events.length);
        await buffer.forget(batch);
      } else {
        await buffer.crash();
        const last = (await files()).at(-1);
        const line = toLine(recordOf(["torn"]));
        if (one.do === "tear" && last) await appendFile(join(path, last), line.slice(0, (next * 7) % line.length));
        buffer = await open(4_000);
      }
      expect(buffer.status.buffered).toBe(expected.length);
      expect(buffer.status.bytes).toBeLessThanOrEqual(4_000);
    }
    delivered.push(...(await drain(buffer)));
    expect(delivered).toEqual(accepted);
    expect(buffer.status).toMatchObject({ buffered: 0, oldestAt: null });
    await buffer.crash();
    expect(warnings).toEqual([]);
  };
  let closing = async () => {};
  // A run that failed must not hold the directory of the next.
  const closed = (steps: Step[]) => property(steps).finally(() => closing().catch(() => {}));
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), closed), { numRuns: 60 });
});

test("concurrent records share a write, in the order of the calls", async () => {
  const buffer = await open();
  await Promise.all(Array.from({ length: 500 }, (_, index) => buffer.append(recordOf([`e${index}`]))));
  const delivered = await drain(buffer);
  expect(delivered.map(([, name]) => name)).toEqual(Array.from({ length: 500 }, (_, index) => `e${index}`));
  await buffer.crash();
});

test("a batch has one sender and ends after about 1,000 events", async () => {
  const buffer = await open();
  for (const key of [null, null, "a", null]) await buffer.append(recordOf(["one", "two"], key));
  for (let number = 0; number < 600; number++) await buffer.append(recordOf(["x", "y"]));
  const sizes: number[] = [];
  for (let batch = await buffer.oldest(); batch; batch = await buffer.oldest()) {
    sizes.push(batch.events.length);
    await buffer.forget(batch);
  }
  expect(sizes).toEqual([4, 2, 1000, 202]);
  await buffer.crash();
});

test("a record that is larger than a read, and texts of many bytes, come back whole", async () => {
  const buffer = await open(10_000_000);
  const long = "€😀\u2028".repeat(300_000);
  await buffer.append(recordOf([long, "next"]));
  expect(await drain(buffer)).toEqual([
    [null, long],
    [null, "next"],
  ]);
  await buffer.crash();
});

test("reports a damaged record, and gives back the others", async () => {
  let buffer = await open();
  for (const name of ["one", "two", "three"]) await buffer.append(recordOf([name]));
  await buffer.crash();
  const [file] = await files();
  const text = await readFile(join(path, file!), "utf8");
  await writeFile(join(path, file!), text.replace('"two"', '"TWO"'));
  buffer = await open();
  expect(warnings).toEqual(["1 records of buffered events are damaged and will not be delivered"]);
  expect(buffer.status.buffered).toBe(2);
  expect((await drain(buffer)).map(([, name]) => name)).toEqual(["one", "three"]);
  await buffer.crash();
});

test("a file that lost its end loses the last records only", async () => {
  let buffer = await open();
  for (const name of ["one", "two"]) await buffer.append(recordOf([name]));
  await buffer.crash();
  const [file] = await files();
  await truncate(join(path, file!), toLine(recordOf(["one"])).length + 5);
  buffer = await open();
  await buffer.append(recordOf(["three"]));
  expect((await drain(buffer)).map(([, name]) => name)).toEqual(["one", "three"]);
  await buffer.crash();
});

test("sends again what it does not remember to have delivered", async () => {
  let buffer = await open();
  await buffer.append(recordOf(["one"]));
  await drain(buffer);
  await buffer.append(recordOf(["two"]));
  await buffer.crash();
  await writeFile(join(path, "events.cursor"), "not JSON");
  buffer = await open();
  expect((await drain(buffer)).map(([, name]) => name)).toEqual(["one", "two"]);
  await buffer.crash();
});

test("a disk that does not take events rejects them, and takes them again afterwards", async () => {
  const buffer = await open(2_000);
  await buffer.append(recordOf(["one"]));
  // The next file cannot be created: a directory has its name.
  const { mkdir } = await import("node:fs/promises");
  await mkdir(join(path, "events-00000002.log"));
  await buffer.append(recordOf(["x".repeat(100)]));
  await expect(buffer.append(recordOf(["lost"]))).rejects.toThrow();
  expect(buffer.status.isBroken).toBe(true);
  expect(warnings).toHaveLength(1);
  await rm(join(path, "events-00000002.log"), { recursive: true });
  await buffer.append(recordOf(["two"]));
  expect(buffer.status.isBroken).toBe(false);
  expect((await drain(buffer)).map(([, name]) => name)).toEqual(["one", "x".repeat(100), "two"]);
  await buffer.crash();
});

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Environment, openEnvironment } from "./environment.ts";
import { LmdbFailure } from "./table.ts";

/** Sizes from empty to those beyond lmdb's own buffer, for which it allocates one. */
const SIZES = [0, 1, 100, 4_000, 5_000, 32_768, 32_769, 300_000];

let path: string;
let environment: Environment;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), "assay-table-"));
  environment = openEnvironment(path);
});
afterEach(async () => {
  await environment.close();
  rmSync(path, { recursive: true });
});

const bytesOf = (size: number) => new Uint8Array(size).fill(size % 251);
const keyOf = (size: number) => `size/${String(size).padStart(7, "0")}`;

test("values keep their length, for any way and order of reading", async () => {
  const { entries, records } = environment;
  await environment.write(() => {
    for (const size of SIZES) entries.put(keyOf(size), bytesOf(size));
    records.put(Buffer.from("key"), bytesOf(10));
  });
  const look = () => {
    for (const size of [...SIZES, ...SIZES.toReversed()]) {
      const value = entries.get(keyOf(size))!;
      expect([value.length, value.byteLength, value.subarray(0).length]).toEqual([size, size, size]);
      expect(Buffer.from(value).equals(bytesOf(size))).toBe(true);
    }
    const ranged = [...entries.entries({ start: "size/", end: "size0" })];
    expect(ranged.map(({ key }) => key)).toEqual(SIZES.map(keyOf));
    expect(ranged.map(({ value }) => value.byteLength)).toEqual(SIZES);
    for (const { value } of ranged) expect(Buffer.from(value).equals(bytesOf(value.length))).toBe(true);
    expect(records.get(Buffer.from("key"))?.byteLength).toBe(10);
    expect([entries.has(keyOf(0)), entries.has("none"), entries.get("none")]).toEqual([true, false, undefined]);
  };
  await environment.read(look);
  await environment.write(look);
});

test("stores a view into a longer buffer without the bytes around it", async () => {
  const { entries } = environment;
  await environment.write(() => entries.put("window", new Uint8Array([1, 2, 3, 4]).subarray(1, 3)));
  expect(await environment.read(() => [...entries.get("window")!])).toEqual([2, 3]);
});

test("an LMDB error is an LmdbFailure, and StoreUnavailable for callers; later reads and writes work", async () => {
  const { records } = environment;
  const tooLong = Buffer.alloc(5_000, 1);
  const kept = environment.write(() => records.put(Buffer.from("kept"), bytesOf(1)));
  await kept;
  const failures: unknown[] = [];
  const attempt = (action: () => unknown) => () => {
    try {
      return action();
    } catch (error) {
      failures.push(error);
      throw error;
    }
  };
  const unavailable = { name: "StoreUnavailable" };
  await expect(environment.write(attempt(() => records.put(tooLong, bytesOf(1))))).rejects.toMatchObject(unavailable);
  await expect(environment.write(attempt(() => records.remove(tooLong)))).rejects.toMatchObject(unavailable);
  await expect(environment.read(attempt(() => records.get(tooLong)))).rejects.toMatchObject(unavailable);
  await expect(environment.read(attempt(() => records.has(tooLong)))).rejects.toMatchObject(unavailable);
  await expect(environment.read(attempt(() => [...records.keys({ start: tooLong })]))).rejects.toMatchObject(
    unavailable,
  );
  await expect(environment.read(attempt(() => [...records.entries({ start: tooLong })]))).rejects.toMatchObject(
    unavailable,
  );
  expect(failures).toHaveLength(6);
  for (const failure of failures) expect(failure).toBeInstanceOf(LmdbFailure);
  expect(await environment.read(() => records.has(Buffer.from("kept")))).toBe(true);
  await environment.write(() => records.put(Buffer.from("more"), bytesOf(1)));
});

test("rethrows the error of an action, and writes the other actions of its commit", async () => {
  const { entries } = environment;
  const refused = environment.write(() => {
    throw new TypeError("not like this");
  });
  const written = environment.write(() => entries.put("written", bytesOf(1)));
  await expect(refused).rejects.toThrow(new TypeError("not like this"));
  await written;
  await expect(environment.read(() => JSON.parse("{"))).rejects.toThrow(SyntaxError);
  expect(await environment.read(() => entries.has("written"))).toBe(true);
});

test.skipIf(process.platform !== "linux")("maps LMDB's data file read-only", async () => {
  await environment.write(() => environment.entries.put("key", bytesOf(1)));
  const maps = readFileSync("/proc/self/maps", "utf8").split("\n");
  const modes = maps.filter((line) => line.endsWith(join(path, "data.mdb"))).map((line) => line.split(" ")[1]);
  expect(new Set(modes)).toEqual(new Set(["r--s"]));
});

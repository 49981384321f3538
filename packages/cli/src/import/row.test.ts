import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRows } from "./row.ts";

let directory: string;
let files = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-rows-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function rowsOf(text: string, delimiter?: string) {
  const path = join(directory, `${files++}.csv`);
  await writeFile(path, text);
  const rows = [];
  for await (const row of readRows(path, delimiter)) rows.push(row);
  return rows;
}

test("counts the header as row 1, and reads quotes, commas, both line ends and a byte-order mark", async () => {
  expect(await rowsOf('\ufeffuser,arm\r\n"a,""b""",x\r\n"c\nd",y\r\n')).toEqual([
    { number: 1, cells: ["user", "arm"] },
    { number: 2, cells: ['a,"b"', "x"] },
    { number: 3, cells: ["c\nd", "y"] },
  ]);
});

test("reads another delimiter, and trims the names of columns but no cells", async () => {
  expect(await rowsOf(" user ;arm\t\na, b ; x\n", ";")).toEqual([
    { number: 1, cells: ["user", "arm"] },
    { number: 2, cells: ["a, b ", " x"] },
  ]);
});

test("reports the row of a quote that is not closed", async () => {
  await expect(rowsOf('user,arm\na,x\n"b,y\nc,z\n')).rejects.toThrow("row 3: a quote is not closed");
});

test("reports the row with too few or too many cells", async () => {
  await expect(rowsOf("user,arm\na,x\nb\n")).rejects.toThrow(/row 3 \(line 3\): .*expect 2, got 1/);
  await expect(rowsOf("user,arm\na,x,1\n")).rejects.toThrow(/row 2 \(line 2\): .*expect 2, got 3/);
});

test("reports an empty file, a missing file and a directory", async () => {
  await expect(rowsOf("")).rejects.toThrow("is empty: its first row must name the columns");
  await expect(readRows(join(directory, "none.csv")).next()).rejects.toThrow(/The file .*none.csv does not exist/);
  await expect(readRows(directory).next()).rejects.toThrow(/is a directory, not a CSV file/);
});

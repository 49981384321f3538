import type { ComplianceEvent } from "@assay/contract";
import { expect, test } from "vitest";
import { CSV_HEADER, toCsvLine } from "./csv.ts";

const columns = CSV_HEADER.trimEnd().split(",");
/** Returns the cell of one column. */
const cell = (reason: unknown) => {
  const line = toCsvLine({ reason } as ComplianceEvent);
  const before = ",".repeat(columns.indexOf("reason"));
  const after = `${",".repeat(columns.length - columns.indexOf("reason") - 1)}\r\n`;
  expect([line.startsWith(before), line.endsWith(after)]).toEqual([true, true]);
  return line.slice(before.length, -after.length);
};

test.each([
  [null, ""],
  ["", ""],
  ["plain text", "plain text"],
  ['a "quote", a comma', '"a ""quote"", a comma"'],
  ["two\nlines", '"two\nlines"'],
  ["two\rlines", '"two\rlines"'],
  [{ enabled: true }, '"{""enabled"":true}"'],
  [true, "true"],
  [false, "false"],
])("writes %j as %j", (value, expected) => expect(cell(value)).toBe(expected));

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ["\rx", `"'\rx"`],
  ['=HYPERLINK("https://example.org", 1)', `"'=HYPERLINK(""https://example.org"", 1)"`],
  ["\uff1d1+1", "'\uff1d1+1"],
])("stops spreadsheets from running %j as a formula", (value, expected) => expect(cell(value)).toBe(expected));

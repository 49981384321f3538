import { createReadStream } from "node:fs";
import { parse } from "csv-parse";
import { failure, reasonOf, usageFailure } from "../failure.ts";

/** One row of a CSV file. */
export interface Row {
  /** Row number as in spreadsheets: the header is row 1. */
  number: number;
  cells: string[];
}

interface ParserError extends Error {
  code: string;
  lines?: number;
  /** The number of records before the row. */
  records?: number;
}

/**
 * Reads the rows of a CSV file one by one, the header first, and keeps only a few in memory.
 * @throws {CommandFailure} if the file cannot be read or a row is malformed
 */
export async function* readRows(path: string, delimiter = ","): AsyncGenerator<Row> {
  const file = createReadStream(path);
  const parser = parse({ bom: true, skip_empty_lines: true, delimiter });
  file.on("error", (error) => parser.destroy(error));
  file.pipe(parser);
  let number = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      number++;
      // Spaces around the names of columns cannot be seen in a spreadsheet.
      yield { number, cells: number === 1 ? cells.map((cell) => cell.trim()) : cells };
    }
  } catch (error) {
    throw toFailure(error, path);
  } finally {
    file.destroy();
    parser.destroy();
  }
  if (number === 0) throw failure(`${path} is empty: its first row must name the columns`);
}

function toFailure(error: unknown, path: string): Error {
  // The parser reads ahead, so its position is beyond the rows returned so far.
  const { code, lines, records = 0 } = error as ParserError;
  const row = records + 1;
  if (code === "ENOENT") return usageFailure(`The file ${path} does not exist`);
  if (code === "EISDIR") return usageFailure(`${path} is a directory, not a CSV file`);
  if (code === "CSV_QUOTE_NOT_CLOSED") return failure(`${path}, row ${row}: a quote is not closed`, error);
  if (code?.startsWith("CSV_")) return failure(`${path}, row ${row} (line ${lines}): ${reasonOf(error)}`, error);
  return failure(`Cannot read ${path}: ${reasonOf(error)}`, error);
}

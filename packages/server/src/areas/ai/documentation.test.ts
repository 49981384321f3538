import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { design } from "./designer.ts";

const page = readFileSync(new URL("../../../../../docs/ai.md", import.meta.url), "utf8");

/** The rows of the table of examples. */
const examples = page
  .split(/^\| Description +\|.*\n.*\n/m)[1]!
  .split("\n\n")[0]!
  .split("\n")
  .map((row) => row.split("|").slice(1, 4))
  .map(([description = "", read = "", questions = ""]) => [
    description.trim().slice(1, -1),
    read.trim(),
    questions.trim(),
  ]);

describe("docs/ai.md", () => {
  test("has examples", () => {
    expect(examples.length).toBeGreaterThanOrEqual(8);
  });

  test.each(examples)("%s", (description, read, questions) => {
    const designed = design({ description: description! });
    expect(designed.reading.map(({ field, value }) => `\`${field}\` ${value}`).join(", ")).toBe(read);
    expect(designed.questions.map(({ field }) => `\`${field}\``).join(", ")).toBe(questions);
  });

  test("shows the rationale of its description", () => {
    const [, description = "", json = ""] = /For `(Ask[^`]+)`:\n\n```json\n(.*?)\n```/s.exec(page)!;
    expect(design({ description: description.replaceAll("\n", " ") }).rationale).toEqual(JSON.parse(json));
  });
});

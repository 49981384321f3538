import { expect, test } from "vitest";
import { toValueType } from "./value-type.ts";

test("an object's type has its properties, those that are not required as optional, with their descriptions", () => {
  const properties = { colour: { type: "string", description: "Of the page" }, size: { type: "number" } };
  const schema = { type: "object", properties, required: ["colour"], additionalProperties: false };
  expect(toValueType(schema, "ThemeValue", new Set()).declarations).toEqual([
    `export type ThemeValue = {
  /** Of the page */
  colour: string;
  size?: number;
};
`,
  ]);
});

test("a property whose name is not an identifier has it in quotes", () => {
  const schema = { type: "object", properties: { "font-size": { type: "number" } }, additionalProperties: false };
  expect(toValueType(schema, "ThemeValue", new Set()).declarations).toEqual([
    `export type ThemeValue = {
  "font-size"?: number;
};
`,
  ]);
});

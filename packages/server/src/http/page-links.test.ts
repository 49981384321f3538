import { expect, test } from "vitest";
import { createAssay } from "../create.ts";
import { createPageLinks } from "./page-links.ts";

const console = new Map();

test.each([
  ["https://flags.example.com", undefined, "https://flags.example.com/console/keys"],
  ["http://localhost:4400/", undefined, "http://localhost:4400/console/keys"],
  ["https://example.com/assay/", "staging", "https://example.com/assay/console/keys?environment=staging"],
])("pages under %s in the environment %s are at %s", (publicUrl, environment, address) => {
  expect(createPageLinks({ publicUrl, console }, environment)("keys")).toBe(address);
});

test("there are no links without an address, and without a console", () => {
  expect(createPageLinks({ console }, undefined)("keys")).toBeNull();
  expect(createPageLinks({ publicUrl: "https://flags.example.com" }, undefined)("keys")).toBeNull();
});

test.each([
  "flags.example.com",
  "ftp://flags.example.com",
  "https://ada@flags.example.com",
  "https://flags.example.com/?environment=staging",
  "https://flags.example.com/#console",
])("refuses %s as the address of the server", (publicUrl) => {
  expect(() => createAssay({ publicUrl })).toThrow(
    "publicUrl must be an http or https address without a user name, query or fragment",
  );
});

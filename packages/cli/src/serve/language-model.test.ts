import { expect, test } from "vitest";
import { readLanguageModel } from "./language-model.ts";

test("uses no language model by default", () => {
  expect(readLanguageModel({ ASSAY_LANGUAGE_MODEL: "" })).toBeUndefined();
});

test("needs only a name, and accepts an address and a key", () => {
  expect(readLanguageModel({ ASSAY_LANGUAGE_MODEL: "m" })).toBeDefined();
  const local = {
    ASSAY_LANGUAGE_MODEL: "m",
    ASSAY_LANGUAGE_MODEL_URL: "http://127.0.0.1:1/v1",
    ASSAY_LANGUAGE_MODEL_KEY: "k",
  };
  expect(readLanguageModel(local)).toBeDefined();
});

test.each<[Record<string, string>, string]>([
  [{ ASSAY_LANGUAGE_MODEL_KEY: "k" }, "Set ASSAY_LANGUAGE_MODEL to a model"],
  [{ ASSAY_LANGUAGE_MODEL: "m", ASSAY_LANGUAGE_MODEL_URL: "file:///x" }, "ASSAY_LANGUAGE_MODEL_URL must begin with"],
])("rejects %j and names the variable", (environment, line) => {
  expect(() => readLanguageModel(environment)).toThrow(line);
});

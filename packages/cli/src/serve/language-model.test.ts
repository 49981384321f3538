import { expect, test } from "vitest";
import { readLanguageModel } from "./language-model.ts";

test("there is none where nothing is said", () => {
  expect(readLanguageModel({ ASSAY_LANGUAGE_MODEL: "" })).toBeUndefined();
});

test("a name is enough, an address and a key are taken", () => {
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
])("%j is refused naming the variable", (environment, line) => {
  expect(() => readLanguageModel(environment)).toThrow(line);
});

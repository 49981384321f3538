import { type AssayOptions, openAiModel } from "@assay/server";
import { usageFailure } from "../failure.ts";

type Environment = Record<string, string | undefined>;

/**
 * Returns the language model that improves designs, from `ASSAY_LANGUAGE_MODEL` (its name), `…_URL` and `…_KEY`.
 *
 * @throws {CommandFailure} naming the variable with an invalid value
 */
export function readLanguageModel(environment: Environment): AssayOptions["languageModel"] {
  const model = environment.ASSAY_LANGUAGE_MODEL?.trim() || undefined;
  const baseUrl = environment.ASSAY_LANGUAGE_MODEL_URL?.trim() || undefined;
  const apiKey = environment.ASSAY_LANGUAGE_MODEL_KEY?.trim() || undefined;
  if (model === undefined) {
    if (baseUrl === undefined && apiKey === undefined) return undefined;
    throw usageFailure("Set ASSAY_LANGUAGE_MODEL to a model if ASSAY_LANGUAGE_MODEL_URL or _KEY is set");
  }
  if (baseUrl !== undefined && !/^https?:\/\//.test(baseUrl)) {
    throw usageFailure("ASSAY_LANGUAGE_MODEL_URL must begin with http:// or https://");
  }
  return openAiModel({ model, ...(baseUrl ? { baseUrl } : {}), ...(apiKey ? { apiKey } : {}) });
}

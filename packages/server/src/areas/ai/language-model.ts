import { ofetch } from "ofetch";
import * as z from "zod";

/** A language model that answers one prompt with one text. */
export interface LanguageModel {
  /** Rejects where there is no answer; the caller falls back. */
  complete(prompt: { system: string; user: string }): Promise<string>;
}

/** Where an OpenAI-compatible API is. */
export interface OpenAiModelOptions {
  /** @default "https://api.openai.com/v1" */
  baseUrl?: string;
  apiKey?: string;
  model: string;
  /** @default 30000 */
  timeoutMs?: number;
}

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/**
 * A model behind the chat-completions endpoint that OpenAI has and many others copy. A refusal for load (429, 5xx) is
 * tried once more.
 *
 * @example
 * createAssay({ languageModel: openAiModel({ baseUrl: "http://127.0.0.1:11434/v1", model: "llama3.1" }) });
 */
export function openAiModel({
  baseUrl = "https://api.openai.com/v1",
  apiKey,
  model,
  timeoutMs = 30_000,
}: OpenAiModelOptions): LanguageModel {
  return {
    async complete({ system, user }) {
      const answer = await ofetch<unknown>(`${baseUrl.replace(/\/$/, "")}/chat/completions`, {
        method: "POST",
        headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
        body: {
          model,
          temperature: 0,
          response_format: { type: "json_object" },
          messages: [
            { role: "system", content: system },
            { role: "user", content: user },
          ],
        },
        timeout: timeoutMs,
        retry: 1,
        retryDelay: 500,
      });
      return Completion.parse(answer).choices[0]!.message.content;
    },
  };
}

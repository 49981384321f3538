import * as z from "zod";

/** A language model that completes a prompt. */
export interface LanguageModel {
  /** Rejects on failure; the caller falls back. */
  complete(prompt: { system: string; user: string }): Promise<string>;
}

/** Location of an OpenAI-compatible API. */
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
 * A model behind the chat-completions endpoint of OpenAI and compatible services. Retries once on overload (429, 5xx).
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
      const { ofetch } = await import("ofetch");
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

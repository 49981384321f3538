import type { Definitions, FlagDefinition } from "@assay/core";

/** A fake server's answer: a response, an error to fail with, or never. */
export type FakeAnswer = Response | Error | "never";

export interface FakeServer {
  fetch: (request: Request) => Promise<Response>;
  requests: { method: string; path: string; headers: Headers; text: string }[];
}

/** A server as a `fetch` function, which answers each request by its index. */
export function createFakeServer(answer: (index: number) => FakeAnswer | Promise<FakeAnswer>): FakeServer {
  const requests: FakeServer["requests"] = [];
  return {
    requests,
    async fetch(request) {
      const { method, headers, signal } = request;
      const text = await request.text();
      const outcome = await answer(requests.push({ method, path: new URL(request.url).pathname, headers, text }) - 1);
      if (outcome instanceof Error) throw outcome;
      if (outcome !== "never") return outcome;
      return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    },
  };
}

export function toDefinitions(...flags: Partial<FlagDefinition>[]): Definitions {
  return {
    schema_version: 1,
    flags: flags.map((flag) => ({
      key: "f",
      enabled: true,
      rollout_percentage: 100,
      variants: [],
      rules: [],
      ...flag,
    })),
    segments: [],
    groups: [],
    holdout: null,
    experiments: [],
  };
}

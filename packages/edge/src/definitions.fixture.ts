import type { Definitions, ExperimentDefinition } from "@assay/core";
import * as fake from "../../sdk/src/fake-server.fixture.ts";

export { toFlag } from "../../sdk/src/fake-server.fixture.ts";

/** Definitions with these parts. */
export function toDefinitions(parts: Partial<Definitions>): Definitions {
  return { ...fake.toDefinitions(), ...parts };
}

/** A running split-URL experiment whose arms `url_1`, `url_2` … have equal weights. */
export function toExperiment(key: string, urls: string[], parts: Partial<ExperimentDefinition> = {}) {
  const variants = urls.map((url, index) => ({ key: `url_${index + 1}`, weight: 1 / urls.length, url }));
  return { id: `id of ${key}`, key, status: "ACTIVE", experiment_type: "SPLIT_URL", variants, ...parts } as const;
}

/** A request as a runtime passes it; it may carry `cookie`, which a browser's own `Request` forbids. */
export function ask(url: string, headers: Record<string, string> = {}, init: RequestInit = {}): Request {
  return new Request(new URL(url, "https://shop.example"), { headers, ...init });
}

/** Returns the cookies that a response sets, name to value. */
export function cookiesOf(response: Response | undefined): Record<string, string> {
  const lines = response?.headers.getSetCookie() ?? [];
  return Object.fromEntries(lines.map((line) => line.split(";")[0]!.split(/=(.*)/s).slice(0, 2)));
}

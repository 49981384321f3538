import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Definitions, FlagDefinition } from "@assay/core";
import type { TrackingEvent } from "@assay/sdk";

export const KEY = "asy_test_key";

/** Faults of a server. */
export type Fault = "error" | "garbage" | "later format" | "hang" | "rejected";

export interface FlagServer extends AsyncDisposable {
  url: string;
  definitions: Definitions;
  /** If set, decides every request for definitions. */
  fault: Fault | undefined;
  /** If set, requests for definitions wait for it. */
  held: Promise<void> | undefined;
  /** Status of every answer to a request for definitions. */
  answers: number[];
  events: TrackingEvent[];
}

/** Starts a server that implements `GET /openfeature/flags` and `POST /tracking/events` by the contract. */
export async function startFlagServer(...flags: Partial<FlagDefinition>[]): Promise<FlagServer> {
  const http = createServer(async (request, response) => {
    if (request.headers["x-api-key"] !== KEY) return send(response, 401, { detail: "Invalid API key" });
    if (request.method === "POST" && request.url === "/api/v1/tracking/events") {
      const { events } = (await json(request)) as { events: TrackingEvent[] };
      server.events.push(...events);
      return send(response, 201, { accepted: events.length, duplicates: 0, rejected: 0, errors: [] });
    }
    await server.held;
    if (server.fault === "hang") return;
    const etag = `"${JSON.stringify(server.definitions).length}-${server.definitions.flags[0]?.version}"`;
    const [status, body] = answerFor(server, request.headers["if-none-match"] === etag);
    server.answers.push(status);
    send(response, status, body, { etag });
  });
  const server: FlagServer = {
    url: "",
    definitions: toDefinitions(...flags),
    fault: undefined,
    held: undefined,
    answers: [],
    events: [],
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return server;
}

function answerFor({ fault, definitions }: FlagServer, isKnown: boolean): [number, unknown] {
  if (fault === "error") return [500, { detail: "Internal server error" }];
  if (fault === "rejected") return [401, { detail: "Invalid API key" }];
  if (fault === "garbage") return [200, "<html>Welcome</html>"];
  if (fault === "later format") return [200, { ...definitions, schema_version: 99 }];
  return isKnown ? [304, undefined] : [200, definitions];
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : body && JSON.stringify(body));
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

import { Agent, request } from "node:http";
import type { Ask } from "./cases.ts";

/** What a server has to know about its caller, and where it listens. */
export interface Address {
  port: number;
  headers: Readonly<Record<string, string>>;
}

/** Connections kept open, each with one request under way. */
const CONNECTIONS = 32;

/** Sends requests over kept connections. Returns the milliseconds of each. @throws Error where an answer is no success */
export async function load(
  { port, headers }: Address,
  { method, path, body }: Ask,
  requests: number,
  connections = CONNECTIONS,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  // Requests are made before, so that they wait for nothing.
  const waiting = Array.from({ length: requests }, () => ({
    path: typeof path === "string" ? path : path(),
    text: body && JSON.stringify(body()),
  }));
  const times: number[] = [];
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const { path, text } = waiting.pop()!;
      const sentHeaders: Record<string, string | number> = { ...headers, accept: "application/json" };
      if (text !== undefined) {
        sentHeaders["content-type"] = "application/json";
        sentHeaders["content-length"] = Buffer.byteLength(text);
      }
      const start = performance.now();
      const sent = request({ agent, host: "127.0.0.1", port, method, path, headers: sentHeaders }, (answer) => {
        answer.resume().once("end", () => {
          times.push(performance.now() - start);
          const status = answer.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve();
          else reject(new Error(`${method} ${path} was answered with ${status}`));
        });
      });
      sent.once("error", reject);
      sent.end(text);
    });
  try {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (waiting.length > 0) await ask();
      }),
    );
  } finally {
    agent.destroy();
  }
  return times;
}

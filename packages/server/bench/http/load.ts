import { Agent, request } from "node:http";
import type { Case } from "./cases.ts";

/** Connections kept open, each with one request under way. */
const CONNECTIONS = 32;

/** Sends a case's requests over kept connections. @throws Error where an answer is no success */
export async function load(port: number, { method, path, body }: Case, requests: number, key: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  // Bodies are made before, so that they wait for nothing.
  const bodies = Array.from({ length: requests }, () => (body ? JSON.stringify(body()) : undefined));
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const text = bodies.pop();
      const headers: Record<string, string | number> = { "x-api-key": key, accept: "application/json" };
      if (text !== undefined) {
        headers["content-type"] = "application/json";
        headers["content-length"] = Buffer.byteLength(text);
      }
      const sent = request({ agent, host: "127.0.0.1", port, method, path, headers }, (answer) => {
        answer.resume().once("end", () => {
          const status = answer.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve();
          else reject(new Error(`${method} ${path} was answered with ${status}`));
        });
      });
      sent.once("error", reject);
      sent.end(text);
    });
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (bodies.length > 0) await ask();
    }),
  );
  agent.destroy();
}

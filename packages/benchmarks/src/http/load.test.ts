import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { load } from "./load.ts";

async function withServer(
  status: number,
  check: (port: number, seen: { open: number; most: number; bodies: unknown[] }) => Promise<void>,
) {
  const seen = { open: 0, most: 0, bodies: [] as unknown[] };
  const server = createServer((request, response) => {
    seen.most = Math.max(seen.most, ++seen.open);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      seen.bodies.push(JSON.parse(Buffer.concat(chunks).toString()));
      setImmediate(() => {
        seen.open--;
        response.writeHead(status).end("{}");
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await check((server.address() as AddressInfo).port, seen);
  server.close();
}

test("every request is sent once, with its own body, and over no more connections than allowed", async () => {
  await withServer(200, async (port, seen) => {
    let number = 0;
    const ask = { method: "POST", path: () => `/${number}`, body: () => ({ number: number++ }) } as const;
    const times = await load({ port, headers: {} }, ask, 50, 4);
    expect(times).toHaveLength(50);
    expect(seen.most).toBeLessThanOrEqual(4);
    expect(seen.bodies).toHaveLength(50);
    expect(new Set(seen.bodies.map((body) => (body as { number: number }).number)).size).toBe(50);
  });
});

test("an answer that is no success ends the measurement", async () => {
  await withServer(429, async (port) => {
    const ask = { method: "POST", path: "/", body: () => ({}) } as const;
    await expect(load({ port, headers: {} }, ask, 5, 2)).rejects.toThrow("POST / was answered with 429");
  });
});

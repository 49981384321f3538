import fc from "fast-check";
import type { Sent } from "./server.fixture.ts";

const LONG = 300_000;
const DEEP = 20_000;

/** Ways to make a request worse than its schema allows. */
const TWISTS: ((sent: Sent) => Sent)[] = [
  (sent) => ({ ...sent, body: textOf(sent).slice(0, -1) }),
  (sent) => ({ ...sent, body: `${textOf(sent)}\u0000` }),
  (sent) => ({ ...sent, body: "[".repeat(DEEP) }),
  (sent) => ({ ...sent, body: `${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}` }),
  (sent) => ({ ...sent, body: JSON.stringify({ ...toObject(sent), name: "x".repeat(LONG) }) }),
  (sent) => ({ ...sent, body: JSON.stringify({ ...toObject(sent), rules: new Array(DEEP).fill({}) }) }),
  (sent) => ({ ...sent, body: textOf(sent).replace("{", '{"__proto__":{"role":"ADMIN"},') }),
  (sent) => ({ ...sent, body: "9".repeat(LONG) }),
  (sent) => ({ ...sent, headers: { ...sent.headers, "content-type": "text/html" } }),
  (sent) => ({ ...sent, headers: { ...sent.headers, "content-encoding": "gzip" } }),
  (sent) => ({ ...sent, headers: { ...sent.headers, "idempotency-key": "k" } }),
  (sent) => ({ ...sent, headers: { ...sent.headers, "if-match": '"'.repeat(2_000) } }),
  (sent) => ({ ...sent, headers: { ...sent.headers, accept: "*/*;q=".repeat(1_000) } }),
  (sent) => ({ ...sent, path: `${sent.path}&limit=1e999&offset=-1&page=${"9".repeat(400)}` }),
  (sent) => ({ ...sent, path: `${sent.path}&${"a=b&".repeat(2_000)}` }),
  (sent) => ({ ...sent, path: sent.path.replace("?", "%00?") }),
  (sent) => ({ ...sent, path: sent.path.replace("?", `/${"a".repeat(4_000)}?`) }),
];

/** Generates changes of requests; most change nothing. */
export const twists: fc.Arbitrary<(sent: Sent) => Sent> = fc.oneof(
  { arbitrary: fc.constant((sent: Sent) => sent), weight: 3 },
  { arbitrary: fc.constantFrom(...TWISTS), weight: 1 },
);

function textOf({ body }: Sent): string {
  return JSON.stringify(body ?? {});
}

function toObject({ body }: Sent): object {
  return typeof body === "object" ? body : {};
}

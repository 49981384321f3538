import type { HostileServer } from "./server.fixture.ts";
import { type HostileCase, many, succeed, type World } from "./world.fixture.ts";

const ATTRIBUTES: [string, unknown][] = [
  ["of 1 MB", "a".repeat(1_000_000)],
  ["of 4,096 characters, the most that a pattern looks at", "a".repeat(4_096)],
  ["of 200 texts of 4,096 characters", many(200, () => "a".repeat(4_096))],
  ["of 80,000 texts", many(80_000, () => "aaaaaaa")],
];

const ask = (path: string, body: object) => (world: World) => ({ method: "POST", path, body, headers: world.client });

/**
 * Creates flags for a public key, with fifty patterns that a backtracking engine never finishes, and with lists of
 * maximum length.
 */
export async function addFlags(server: HostileServer, { admin }: World): Promise<void> {
  const pattern = `^((a|b|ab|aab)*(a|b)+)+${"(a|aa)".repeat(28)}c$`;
  const rule = (index: number, condition: object) => ({
    id: `r${index}`,
    when: { attribute: "a", ...condition },
    serve: { rollout_percentage: 100 },
  });
  const flags = {
    patterns: many(50, (index) => rule(index, { operator: "MATCHES", value: pattern })),
    lists: many(50, (index) => rule(index, { operator: "IN", value: many(300, (value) => `value-${index}-${value}`) })),
  };
  for (const [key, rules] of Object.entries(flags)) {
    const body = { key, name: key, status: "ACTIVE", client_side: true, rules };
    await succeed(server, { method: "POST", path: "/feature-flags/", body, headers: admin });
  }
}

/** Evaluations that a public key may request. */
export const EVALUATIONS: HostileCase[] = [
  ...["patterns", "lists"].flatMap((key) =>
    ATTRIBUTES.map(([size, a]) => ({
      name: `a flag of 50 ${key} for an attribute ${size}`,
      status: 200,
      sent: ask(`/feature-flags/${key}/evaluate?explain=true`, { user_id: "u", attributes: { a } }),
    })),
  ),
  {
    name: "every flag for an attribute of 80,000 texts",
    status: 200,
    sent: ask("/ofrep/v1/evaluate/flags", { context: { targetingKey: "u", a: many(80_000, (index) => `a${index}`) } }),
  },
  {
    name: "230 times the flag of 50 patterns",
    status: 200,
    sent: ask(
      "/openfeature/bulk-evaluate",
      many(230, (index) => ({ flagKey: "patterns", context: { targetingKey: `u${index}`, a: "a".repeat(4_000) } })),
    ),
  },
  {
    name: "1,001 questions",
    status: 422,
    sent: ask(
      "/openfeature/bulk-evaluate",
      many(1_001, () => ({ flagKey: "lists", context: { targetingKey: "u" } })),
    ),
  },
];

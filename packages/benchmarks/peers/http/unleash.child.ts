/** Unleash in a separate process: `FLAGS DATABASE_URL` serves so many flags from an empty database. */
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { COUNTRIES } from "../../src/http/cases.ts";
import { announce } from "../../src/http/serve.ts";

const [flags, databaseUrl] = [Number(process.argv[2]), process.argv[3]!];
process.once("disconnect", () => process.exit(0));
process.env.DATABASE_URL = databaseUrl;
process.env.DATABASE_SSL = "false";
process.env.UNLEASH_TELEMETRY = "false";
const { start, LogLevel } = await import("unleash-server");
const secret = () => randomUUID().replaceAll("-", "");
const [adminToken, frontendToken] = [`*:*.${secret()}`, `*:development.${secret()}`];
const { server, stop: _ } = await start({
  logLevel: (LogLevel as unknown as Record<string, string>).fatal as never,
  server: { port: 0, gracefulShutdownEnable: false },
  versionCheck: { enable: false },
  secureHeaders: false,
  frontendApi: { refreshIntervalInMs: 1_000 },
  authentication: {
    createAdminUser: false,
    initApiTokens: [
      { environment: "*", project: "*", secret: adminToken, type: "admin", tokenName: "admin" },
      { environment: "development", project: "*", secret: frontendToken, type: "frontend", tokenName: "frontend" },
    ],
  } as never,
});
const { port } = server!.address() as AddressInfo;
const root = `http://127.0.0.1:${port}`;

async function admin(path: string, body: object): Promise<void> {
  const response = await fetch(`${root}/api/admin/projects/default/features${path}`, {
    method: "POST",
    headers: { authorization: adminToken, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`Unleash answered ${response.status}: ${await response.text()}`);
}

for (let number = 1; number <= flags; number++) {
  const name = `flag-${number}`;
  await admin("", { name, type: "release" });
  await admin(`/${name}/environments/development/strategies`, {
    name: "flexibleRollout",
    parameters: { rollout: "50", stickiness: "userId", groupId: name },
    constraints: [{ contextName: "country", operator: "IN", values: COUNTRIES, inverted: false }],
  });
  await admin(`/${name}/environments/development/on`, {});
}

/** Returns how many flags are on for a user, of those that the answer lists. */
async function onFor(user: string): Promise<number> {
  const response = await fetch(`${root}/api/frontend?userId=${user}&properties%5Bcountry%5D=DE`, {
    headers: { authorization: frontendToken },
  });
  return ((await response.json()) as { toggles?: unknown[] }).toggles?.length ?? 0;
}

// The API answers from a copy that it refreshes. All flags are there once half of them are on for the average user.
const users = Array.from({ length: 40 }, (_, index) => `user-${index}`);
for (let on = 0; Math.abs(on / users.length / flags - 0.5) > 0.2; ) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  on = (await Promise.all(users.map(onFor))).reduce((sum, count) => sum + count, 0);
}
announce(port, { authorization: frontendToken });

import { afterEach, expect, test, vi } from "vitest";
import { createAssay } from "../create.ts";
import { silentLogger } from "../ground/runtime.ts";

afterEach(() => vi.unstubAllEnvs());

const start = (password: string, username = "admin") =>
  createAssay({ admin: { username, password }, logger: silentLogger, passwordCost: 16 });

test.each([
  ["elevenchars", "fewer than 12 characters"],
  ["Password1234", "one of the most common ones"],
])("in production the administrator's password %j prevents the start", (password, reason) => {
  vi.stubEnv("NODE_ENV", "production");
  expect(() => start(password)).toThrow(reason);
});

test("in production the username is rejected as password", () => {
  vi.stubEnv("NODE_ENV", "production");
  expect(() => start("Administrator1", "administrator1")).toThrow("is the username");
});

test("a strong password is accepted in production, and any password elsewhere", async () => {
  for (const [environment, password] of [
    ["production", "correct horse battery"],
    ["development", "password"],
  ] as const) {
    vi.stubEnv("NODE_ENV", environment);
    const assay = start(password);
    await assay.ready;
    await assay.close();
  }
});

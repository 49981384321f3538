import { afterEach, expect, test } from "vitest";
import { serve, stopAll } from "../cli.fixture.ts";
import { httpsWarning } from "./https-warning.ts";

afterEach(stopAll);

test.each([
  ["0.0.0.0", "production", false, true],
  ["::", "production", false, true],
  ["192.0.2.1", "production", false, true],
  ["0.0.0.0", "production", true, false],
  ["0.0.0.0", "development", false, false],
  ["127.0.0.1", "production", false, false],
  ["127.1.2.3", "production", false, false],
  ["::1", "production", false, false],
  ["localhost", "production", false, false],
])("on %s in %s with HTTPS required %s, a warning is %s", (host, NODE_ENV, requireHttps, warns) => {
  expect(httpsWarning({ host, requireHttps }, { NODE_ENV }) !== undefined).toBe(warns);
});

test("serve prints the warning at start and continues; an open stream does not keep it from stopping", async () => {
  const { output, url, admin, child, exit } = await serve(["--storage", "memory", "--host", "0.0.0.0"], {
    NODE_ENV: "production",
    ASSAY_ADMIN_PASSWORD: "Vb7-quartz-lantern-92",
  });
  expect(output()).toContain("Warning: listening on 0.0.0.0 without HTTPS required.");
  const login = { username: "admin", password: "Vb7-quartz-lantern-92" };
  const { access_token } = await admin.request("POST /auth/login", { body: login });
  const headers = { authorization: `Bearer ${access_token}` };
  const stream = await fetch(`${url}/api/v1/audit-logs/stream`, { headers });
  expect(stream.status).toBe(200);
  child.kill("SIGTERM");
  await stream.text();
  expect(await exit).toBe(0);
});

import { expect } from "vitest";
import { ADMIN, connect, serveExample } from "./example.fixture.ts";

/** What holds for Assay inside another app: both answer, bodies of every kind arrive, a change shows at once. */
export async function expectEmbedded(name: string, mount: string, greetingPath: string): Promise<string> {
  const { url } = await serveExample(name);
  const greet = async () => (await fetch(url + greetingPath)).text();
  expect(await greet()).toBe("Hello");
  // Requests with a JSON body, with a form, with an empty body and with none.
  const admin = connect(url + mount);
  await admin.request("POST /feature-flags/", { body: { key: "greeting", name: "Greeting", status: "ACTIVE" } });
  expect(await greet()).toBe("Hello, Ada");
  const form = await fetch(`${url}${mount}/api/v1/auth/token`, { method: "POST", body: new URLSearchParams(ADMIN) });
  expect(form.status).toBe(200);
  await admin.request("POST /experiments/", {
    body: { key: "e", name: "é ✓", variants: [{ key: "a" }, { key: "b" }] },
  });
  const started = await admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: "e" } });
  expect(started).toMatchObject({ status: "ACTIVE", name: "é ✓" });
  await admin.request("DELETE /feature-flags/{id}", { params: { id: "greeting" } });
  expect(await greet()).toBe("Hello");
  // What is wrong with a request is said as it is by Assay alone.
  const broken = await fetch(`${url}${mount}/api/v1/auth/login`, { method: "POST", body: "x".repeat(1_100_000) });
  expect(broken.status).toBe(413);
  expect((await fetch(`${url}${mount}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}${mount}/api/v1/nowhere`)).status).toBe(404);
  return url;
}

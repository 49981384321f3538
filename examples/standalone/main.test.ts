import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { connect, serveExample, stopExamples } from "../testing/example.fixture.ts";

afterEach(stopExamples);

test("standalone serves on node:http and keeps its data over a restart", async () => {
  const DATA = await mkdtemp(join(tmpdir(), "assay-standalone-"));
  const first = await serveExample("standalone", { DATA });
  const body = { key: "kept", name: "Kept" };
  await connect(first.url).request("POST /feature-flags/", { body });
  first.child.kill("SIGTERM");
  expect(await first.exit).toBe(0);
  const second = await serveExample("standalone", { DATA });
  const admin = connect(second.url);
  expect(await admin.request("GET /feature-flags/{id}", { params: { id: "kept" } })).toMatchObject(body);
  second.child.kill("SIGTERM");
  await second.exit;
  await rm(DATA, { recursive: true });
});

import { afterEach, expect, test } from "vitest";
import { expectEmbedded } from "../testing/embedding.fixture.ts";
import { stopExamples } from "../testing/example.fixture.ts";

afterEach(stopExamples);

test("Assay works as a Fastify plugin, and Fastify's parsers go on working elsewhere", async () => {
  const url = await expectEmbedded("embedded-fastify", "/assay", "/hello");
  const headers = { "content-type": "application/json" };
  const echo = await fetch(`${url}/echo`, { method: "POST", headers, body: '{"a":1}' });
  expect(await echo.json()).toEqual({ a: 1 });
});

import { afterEach, expect, test } from "vitest";
import { expectEmbedded } from "../testing/embedding.fixture.ts";
import { stopExamples } from "../testing/example.fixture.ts";

afterEach(stopExamples);

test("Assay works below a path of an h3 app, and its documents know the path", async () => {
  const url = await expectEmbedded("embedded-h3", "/assay", "/");
  const { servers } = (await (await fetch(`${url}/assay/openapi.json`)).json()) as { servers: unknown };
  expect(servers).toEqual([{ url: "/assay/api/v1" }]);
});

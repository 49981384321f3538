import { afterEach, expect, test } from "vitest";
import { expectEmbedded } from "../testing/embedding.fixture.ts";
import { stopExamples } from "../testing/example.fixture.ts";

afterEach(stopExamples);

test("Assay works in an Express app behind express.json(), and leaves other paths to it", async () => {
  const url = await expectEmbedded("embedded-express", "", "/hello");
  expect(await (await fetch(`${url}/nobody`)).text()).toContain("Cannot GET /nobody");
});

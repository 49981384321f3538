import { afterEach, expect, test } from "vitest";
import { serveExample, stopExamples } from "../testing/example.fixture.ts";

afterEach(stopExamples);

test("visitors of an h3 app see one of two pages, and the same one when they come back", async () => {
  const { url } = await serveExample("edge-h3");
  const pages = new Set<string>();
  for (let visitor = 0; visitor < 40; visitor++) {
    const response = await fetch(url, { redirect: "manual" });
    const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0]);
    const variant = cookies.find((cookie) => cookie?.startsWith("exp_landing="));
    expect(variant).toBe(response.status === 302 ? "exp_landing=url_2" : "exp_landing=url_1");
    expect(response.headers.get("location")).toBe(response.status === 302 ? "/new" : null);
    await response.arrayBuffer();
    const again = await fetch(url, { headers: { cookie: cookies.join("; ") } });
    const page = await again.text();
    expect(page).toBe(response.status === 302 ? "The new page" : "The page as it was");
    pages.add(page);
  }
  expect(pages.size).toBe(2);
});

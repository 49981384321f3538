import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { toCsv, toHtml, toSummary } from "@assay/console/report";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run, type Serving, serve, stopAll } from "../cli.fixture.ts";

const params = { experiment_id: "button" };

let directory: string;
let server: Serving;
let apiKey: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-results-"));
  server = await serve(["--data", directory]);
  const metrics = [
    { name: "Bought", event_type: "purchase", role: "PRIMARY" },
    { name: "Value", id: "value", event_type: "purchase", kind: "MEAN" },
  ];
  const variants = [{ key: "old", is_control: true }, { key: "new" }];
  const body = { key: "button", name: "New button", status: "ACTIVE", variants, metrics, planned_sample_size: 400 };
  await server.admin.request("POST /experiments/", { body: body as never });
  await server.admin.request("POST /experiments/", { body: { key: "draft", name: "Draft" } });
  const { key } = await server.admin.request("POST /api-keys", { body: { name: "shop", scopes: ["read", "write"] } });
  apiKey = key!;
  const events = Array.from({ length: 200 }, (_, index) => {
    const user_id = `user-${index}`;
    const variant_id = index % 2 === 0 ? "old" : "new";
    const exposure = { event_type: "exposure", user_id, experiment_id: "button", variant_id };
    return index % 5 === 0 ? [exposure, { event_type: "purchase", user_id, value: index }] : [exposure];
  }).flat();
  await createClient({ baseUrl: server.url, apiKey }).request("POST /tracking/events", { body: { events } as never });
});
afterAll(async () => {
  await stopAll();
  await rm(directory, { recursive: true, force: true });
});

const results = (...words: string[]) => run(["results", ...words, "--url", server.url], { ASSAY_API_KEY: apiKey });
async function input() {
  const [experiment, overview, answer] = await Promise.all([
    server.admin.request("GET /experiments/{experiment_id}", { params }),
    server.admin.request("GET /results/{experiment_id}/overview", { params }),
    server.admin.request("GET /results/{experiment_id}", { params }),
  ]);
  return { experiment, overview, results: answer };
}

test("prints the decision and the effects as a table", async () => {
  const { code, output } = await results("button");
  expect(code).toBe(0);
  const { decision, sentence, rows, method } = toSummary(await input());
  const lines = output.split("\n");
  expect(lines.slice(0, 4)).toEqual(["New button (button), running", "", decision, sentence]);
  expect(lines).toContain(method);
  expect(output).toMatch(/^Users {9}200 of 400 planned$/m);
  const { controlValue, treatmentValue, difference, interval } = rows[0]!;
  const row = lines.find((line) => line.startsWith("Bought"))!;
  expect(row.split(/ {2,}/)).toEqual([
    "Bought",
    "primary",
    "new",
    controlValue,
    treatmentValue,
    difference,
    interval,
    "Inconclusive",
  ]);
});

test("prints CSV, HTML and JSON with the numbers of the server", async () => {
  const all = await input();
  expect(await results("button", "--format", "csv")).toEqual({ code: 0, output: toCsv(all) });
  expect(await results("button", "--format", "html")).toEqual({ code: 0, output: toHtml(all) });
  const { code, output } = await results("button", "--format", "json");
  expect([code, JSON.parse(output)]).toEqual([0, JSON.parse(JSON.stringify(all.overview))]);
});

test("prints an experiment that has not started", async () => {
  expect(await results("draft")).toMatchObject({ code: 0, output: expect.stringContaining("There is no data yet.") });
});

test.each([
  [["nothing"], 1, 'There is no experiment "nothing"'],
  [[], 2, "Specify an experiment: assay results KEY"],
  [["button", "--format", "pdf"], 2, '--format must be one of table, csv, json, html, not "pdf"'],
])("rejects the arguments %j", async (words, code, text) => {
  expect(await results(...words)).toMatchObject({ code, output: expect.stringContaining(text) });
});

test("reports a key that the server refuses", async () => {
  const words = ["results", "button", "--url", server.url, "--api-key", "asy_wrong"];
  expect(await run(words)).toMatchObject({ code: 1, output: expect.stringContaining("Cannot read the results from") });
  expect(await run(words.slice(0, -2))).toMatchObject({ code: 2, output: expect.stringContaining("ASSAY_API_KEY") });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { freePort, run, type Serving, serve, start, stopAll } from "../cli.fixture.ts";

const ROWS = 20_000;
let directory: string;
let file: string;

/** Every third user buys, everyone spends the last two digits of their number; every second is in treatment. */
function rowOf(user: number): string {
  return `user-${user},${user % 2 ? "new" : "old"},${user % 3 === 0 ? "TRUE" : "FALSE"},${user % 100}`;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-import-"));
  file = join(directory, "large.csv");
  await writeFile(
    file,
    ["uid,version,bought,spent", ...Array.from({ length: ROWS }, (_, user) => rowOf(user))].join("\n"),
  );
});
afterEach(stopAll);
afterAll(() => rm(directory, { recursive: true, force: true }));

async function prepare({ admin, url }: Serving) {
  const { key } = await admin.request("POST /api-keys", { body: { name: "import", scopes: ["read", "write"] } });
  await admin.request("POST /experiments/", {
    body: {
      key: "checkout",
      name: "Checkout",
      status: "ACTIVE",
      variants: [{ key: "control" }, { key: "new" }],
      metrics: [
        { name: "Bought", event_type: "buy" },
        { name: "Spent", event_type: "spend", kind: "MEAN" },
      ],
    },
  });
  const columns = ["--experiment", "checkout", "--user", "uid", "--arm", "version", "--map-arm", "old=control"];
  const metrics = ["--metric", "buy=bought", "--metric", "spend=spent"];
  return { words: [...columns, ...metrics, "--url", url], environment: { ASSAY_API_KEY: key ?? "" } };
}

async function expectExactResults({ admin }: Serving) {
  const results = await admin.request("GET /results/{experiment_id}", { params: { experiment_id: "checkout" } });
  const users = Array.from({ length: ROWS }, (_, user) => user);
  const share = (arm: number) => users.filter((user) => user % 2 === arm && user % 3 === 0).length / (ROWS / 2);
  const mean = (arm: number) =>
    users.filter((user) => user % 2 === arm).reduce((sum, user) => sum + (user % 100), 0) / (ROWS / 2);
  expect(results.sample_size).toEqual({ control: ROWS / 2, treatment: ROWS / 2 });
  const [bought, spent] = results.metrics;
  expect(bought).toMatchObject({ name: "Bought", control_value: share(0), treatment_value: share(1) });
  expect(spent?.control_value).toBeCloseTo(mean(0), 9);
  expect(spent?.treatment_value).toBeCloseTo(mean(1), 9);
}

test("imports a file exactly, and importing it again counts nothing twice", async () => {
  const server = await serve(["--storage", "memory"]);
  const { words, environment } = await prepare(server);
  const events = (ROWS * 2 + Math.ceil(ROWS / 3)).toLocaleString("en");
  const first = await run(["import", file, ...words], environment);
  expect(first.output).toContain("10,");
  expect(first.output).toContain(`${events} events accepted, 0 duplicates, 0 rejected`);
  expect(first.code).toBe(0);
  await expectExactResults(server);
  const second = await run(["import", file, ...words, "--concurrency", "1"], environment);
  expect(second.output).toContain(`0 events accepted, ${events} duplicates, 0 rejected`);
  expect(second.code).toBe(0);
  await expectExactResults(server);
});

test("sends nothing to an experiment that is not ACTIVE", async () => {
  const server = await serve(["--storage", "memory"]);
  const { words, environment } = await prepare(server);
  const params = { experiment_id: "checkout" };
  await server.admin.request("POST /experiments/{experiment_id}/pause", { params });
  const output = "assay: Experiment checkout is PAUSED; only an ACTIVE experiment accepts exposures\n";
  expect(await run(["import", file, ...words], environment)).toEqual({ code: 1, output });
});

test("gives exact results if an import is killed and run again", async () => {
  const server = await serve(["--storage", `lmdb:${join(directory, "killed-import")}`]);
  const { words, environment } = await prepare(server);
  const broken = start(["import", file, ...words, "--concurrency", "1"], environment);
  await broken.match(/ of 20,000 rows/);
  broken.child.kill("SIGKILL");
  expect(await broken.exit).toBe(null);
  const again = await run(["import", file, ...words], environment);
  const [, accepted = "", duplicates = ""] = /([\d,]+) events accepted, ([\d,]+) duplicates/.exec(again.output) ?? [];
  const [left, kept] = [accepted, duplicates].map((text) => Number(text.replaceAll(",", "")));
  expect(kept).toBeGreaterThan(0);
  expect(left! + kept!).toBe(ROWS * 2 + Math.ceil(ROWS / 3));
  await expectExactResults(server);
});

test("an import continues after the server is killed and restarted", async () => {
  const place = ["--storage", `lmdb:${join(directory, "killed-server")}`, "--port", String(await freePort())];
  const server = await serve(place);
  const { words, environment } = await prepare(server);
  const importing = start(["import", file, ...words, "--concurrency", "2"], environment);
  await importing.match(/ of 20,000 rows/);
  server.child.kill("SIGKILL");
  await server.exit;
  const restarted = await serve(place);
  expect(await importing.exit).toBe(0);
  await expectExactResults(restarted);
});

test("imports a file with tabs, and spaces around the names of columns", async () => {
  const server = await serve(["--storage", "memory"]);
  const { words, environment } = await prepare(server);
  const path = join(directory, "tabs.csv");
  await writeFile(path, "uid\t version \tbought\tspent\na\told\tTRUE\t1\nb\tnew\tFALSE\t2\n");
  for (const delimiter of ["tab", "\\t"]) {
    expect(await run(["import", path, ...words, "--delimiter", delimiter], environment)).toMatchObject({ code: 0 });
  }
  const results = await server.admin.request("GET /results/{experiment_id}", { params: { experiment_id: "checkout" } });
  expect(results.sample_size).toEqual({ control: 1, treatment: 1 });
});

test("reports each invalid input with its row in one line, and sends nothing", async () => {
  const server = await serve(["--storage", "memory"]);
  const { words, environment } = await prepare(server);
  const refuse = async (text: string, more: string[] = []) => {
    const path = join(directory, "wrong.csv");
    await writeFile(path, text);
    return run(["import", path, ...words, ...more], environment);
  };
  const path = join(directory, "wrong.csv");
  const header = "uid,version,bought,spent\n";
  expect(await refuse(`${header}a,old,TRUE,1\nb,neu,FALSE,2\n,new,TRUE,3\n`)).toEqual({
    code: 1,
    output:
      `assay: ${path}, row 3: "neu" in column "version" is not a variant of checkout (control, new); use --map-arm to map it\n` +
      `assay: ${path}, row 4: column "uid" is empty; it must contain a user id\nassay: Nothing was sent\n`,
  });
  expect(await refuse(`${header}a,old,TRUE,1\n"b,new,TRUE,2\n`)).toEqual({
    code: 1,
    output: `assay: ${path}, row 3: a quote is not closed\n`,
  });
  expect(await refuse("uid,arm,bought,spent\na,old,TRUE,1\n")).toEqual({
    code: 2,
    output: `assay: ${path} has no column "version"; it has "uid", "arm", "bought", "spent"\n`,
  });
  expect(await refuse(`${header}a,old,TRUE,1\nb,new,TRUE,2\na,old,TRUE,3\n`)).toEqual({
    code: 1,
    output: `assay: ${path}, row 4: user "a" has another arm or other values in row 2; a user needs one row\nassay: Nothing was sent\n`,
  });
  expect(await refuse(`${header}a,old,TRUE,1\n`, ["--delimiter", ";;"])).toEqual({
    code: 2,
    output: 'assay: --delimiter must be one character or tab, not ";;"\n',
  });
  expect(await refuse(header)).toEqual({ code: 1, output: `assay: ${path} has no rows below its header\n` });
  expect(await run(["import", "none.csv", ...words], environment)).toEqual({
    code: 2,
    output: "assay: The file none.csv does not exist\n",
  });
  expect(await refuse(`${header}a,old,TRUE,1\n`, ["--experiment", "chekout"])).toEqual({
    code: 1,
    output: `assay: ${server.url} has no experiment "chekout"\n`,
  });
  expect(await refuse(`${header}a,old,TRUE,1\n`, ["--api-key", "wrong"])).toEqual({
    code: 1,
    output: `assay: ${server.url} does not accept this API key\n`,
  });
  const results = await server.admin.request("GET /results/{experiment_id}", { params: { experiment_id: "checkout" } });
  expect(results.sample_size).toEqual({ control: 0, treatment: 0 });
});

const mistakes: [words: string[], line: string][] = [
  [[], "Specify the CSV file to import"],
  [["x.csv", "--user", "u", "--arm", "a", "--metric", "m=c"], "--experiment is missing"],
  [["x.csv", "--experiment", "e", "--user", "u", "--arm", "a"], "--metric NAME=COLUMN is missing"],
  [["x.csv", "--experiment", "e", "--user", "u", "--arm", "a", "--metric", "m"], '--metric takes NAME=COLUMN, not "m"'],
];

test.each(mistakes)("import %j fails with one line and exit code 2", async (words, line) => {
  expect(await run(["import", ...words], { ASSAY_API_KEY: "key" })).toEqual({ code: 2, output: `assay: ${line}\n` });
});

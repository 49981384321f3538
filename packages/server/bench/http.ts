/**
 * CPU time of the server for one request, beside that of a bare `node:http` server: `pnpm --filter @assay/server bench:http
 * [--only=events] [checkout …]`. Each server is a process of its own, asked by this one over kept connections; they take
 * turns, and what is printed are medians of the rounds, of the ratios too. It measures what users run, the built packages.
 * Other checkouts of this repository, built with `pnpm build`, are measured in the same run.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cases as all, type Case } from "./http/cases.ts";
import type { Samples } from "./http/child.ts";
import { load } from "./http/load.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "" } },
});
const cases = all.filter(({ name }) => name.includes(values.only));
const ROUNDS = 15;
/** Requests before the first round, in those of a round, so that code is compiled by then. */
const WARM_UP = 10;
const HERE = fileURLToPath(new URL("../../..", import.meta.url));
const CHILD = fileURLToPath(new URL("http/child.ts", import.meta.url));

interface Measured {
  name: string;
  child: ChildProcess;
  port: number;
  key: string;
}

async function start(name: string, words: string[], samples?: Samples): Promise<Measured> {
  const child = fork(CHILD, words, { execArgv: ["--import", "tsx"] });
  if (samples) child.send(samples);
  const ended = once(child, "exit").then(() => {
    throw new Error(`The server of ${words.join(" ")} has not started; is it built?`);
  });
  const [{ port, key }] = await Promise.race([once(child, "message"), ended]);
  return { name, child, port, key };
}

async function sampleOf({ port, key }: Measured, { method, path, body }: Case): Promise<string> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const init = { method, headers, ...(body && { body: JSON.stringify(body()) }) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
  return response.text();
}

async function cpuOf({ child }: Measured): Promise<number> {
  child.send("cpu");
  const [{ user, system }] = (await once(child, "message")) as [NodeJS.CpuUsage];
  return user + system;
}

/** Microseconds of the server's CPU for one request. */
async function measure(server: Measured, one: Case, requests: number): Promise<number> {
  const before = await cpuOf(server);
  await load(server.port, one, requests, server.key);
  return ((await cpuOf(server)) - before) / requests;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const assay = await start("this checkout", ["assay", HERE]);
const samples: Samples = {};
for (const one of cases) samples[one.name] = await sampleOf(assay, one);
const floor = await start("node:http", ["floor"], samples);
const others: Measured[] = [];
for (const path of positionals) others.push(await start(path, ["assay", resolve(path)]));
const servers = [floor, assay, ...others];

const row = (cells: string[]) => console.log(cells.map((cell, index) => cell.padEnd(index ? 16 : 26)).join(""));
console.log(`Node ${process.version}, microseconds of CPU a request, medians of ${ROUNDS} rounds`);
for (const { name } of others) console.log(`Beside it: ${name}`);
row(["", floor.name, assay.name, "/ node:http", ...others.flatMap(() => ["beside it", "/ node:http", "this / it"])]);
for (const one of cases) {
  const costs = servers.map((): number[] => []);
  for (const server of servers) await load(server.port, one, WARM_UP * one.requests, server.key);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, server] of servers.entries()) costs[index]!.push(await measure(server, one, one.requests));
  }
  const [bare = [], ours = [], ...theirs] = costs;
  const cost = (values: number[]) => median(values).toFixed(0);
  const ratio = (values: number[], to: number[]) => median(values.map((value, round) => value / to[round]!)).toFixed(2);
  row([
    one.name,
    cost(bare),
    cost(ours),
    ratio(ours, bare),
    ...theirs.flatMap((values) => [cost(values), ratio(values, bare), ratio(ours, values)]),
  ]);
}
for (const { child } of servers) child.disconnect();

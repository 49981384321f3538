import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, test } from "vitest";
import { createTestServer, ORIGIN } from "../testing.fixture.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const PAGE = '<script src="./assets/a.js"></script><div id="root" data-base="./"></div>';
const assets = new Map([
  ["index.html", bytes(PAGE)],
  ["assets/a.js", bytes("console.log(1)")],
  ["icon.svg", bytes("<svg/>")],
]);

test("the console refers to its files relative to the address of each page", async () => {
  const { assay } = await createTestServer({ console: assets, basePath: "/tools" });
  const get = (path: string) => assay.fetch(new Request(`${ORIGIN}/tools${path}`));
  expect((await get("/")).headers.get("location")).toBe("/tools/console/");
  expect((await get("/console")).headers.get("location")).toBe("console/");
  expect(await (await get("/console/")).text()).toBe(PAGE);
  expect(await (await get("/console/flags/a.b")).text()).toBe(PAGE.replaceAll('"./', '"./../'));
  const icon = await get("/console/icon.svg");
  expect(icon.headers.get("content-type")).toBe("image/svg+xml");
  expect(icon.headers.get("cache-control")).toBe("no-cache");
  expect(icon.headers.get("x-request-id")).toBeTruthy();
  await assay.close();
});

test.each(["/console/assets/b.js", "/console/assets/../../secret", "/consoles"])(
  "%s is not a file of the console",
  async (path) => {
    const { assay } = await createTestServer({ console: assets });
    const response = await assay.fetch(new Request(`${ORIGIN}${path}`));
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: expect.any(String) });
    await assay.close();
  },
);

test("without files there is no console", async () => {
  const { assay } = await createTestServer({ console: new Map() });
  expect((await assay.fetch(new Request(`${ORIGIN}/console/`))).status).toBe(404);
  await assay.close();
});

test("HEAD has the headers of GET and no body", async () => {
  const { assay } = await createTestServer({ console: assets });
  const response = await assay.fetch(new Request(`${ORIGIN}/console/assets/a.js`, { method: "HEAD" }));
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(await response.text()).toBe("");
  await assay.close();
});

test("a middleware serves the console below a prefix that the host removes, and passes on its other paths", async () => {
  const { assay } = await createTestServer({ console: assets });
  const app = express();
  app.use("/flags", assay.node);
  app.use((_request, response) => void response.status(404).send("the host"));
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/flags`;
  expect(await (await fetch(`${url}/console`)).text()).toBe(PAGE);
  expect((await fetch(`${url}/console/assets/a.js`)).headers.get("content-encoding")).toBe("gzip");
  expect(await (await fetch(`${url}/consoles`)).text()).toBe("the host");
  server.close();
  await assay.close();
});

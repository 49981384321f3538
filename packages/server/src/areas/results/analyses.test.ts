import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AnalysisServer, createAnalysisServer, isClean } from "./analyses.fixture.ts";

let server: AnalysisServer;
beforeEach(async () => {
  server = await createAnalysisServer();
});
afterEach(() => server.assay.close());

describe("every analysis", () => {
  const all = ["sequential", "cuped", "breakdown?dimension=plan", "timeseries"];

  test.each(all)("%s without events has an empty answer", async (path) => {
    await server.create();
    const { status, json } = await server.send("GET", `/results/x/${path}`, {
      headers: { "x-api-key": server.key.key },
    });
    expect(status).toBe(200);
    expect(json.experiment_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(all)("%s is the same when it is requested again, by id or key, and has an ETag", async (path) => {
    const { id } = await server.create();
    await server.report(server.users(60, { a: 0.2, b: 0.4 }));
    const headers = { "x-api-key": server.key.key };
    const [first, again] = [
      await server.send("GET", `/results/x/${path}`, { headers }),
      await server.send("GET", `/results/${id}/${path}`, { headers }),
    ];
    expect(first.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(first.headers.get("cache-control")).toBe("private, max-age=300");
    const tag = { ...headers, "if-none-match": first.headers.get("etag")! };
    expect((await server.send("GET", `/results/x/${path}`, { headers: tag })).status).toBe(304);
    isClean(first.json);
  });

  test.each(all)("%s of a DRAFT is a 404 for a VIEWER, and of an unknown experiment for every caller", async (path) => {
    await server.create({ status: "DRAFT" });
    const token = async (role: "VIEWER" | "ANALYST") => {
      const { username } = await server.as(role);
      const body = { username, password: "a-password-of-tests" };
      const { json } = await server.send("POST", "/auth/login", { body });
      return { authorization: `Bearer ${json.access_token}` };
    };
    const [viewer, analyst] = [await token("VIEWER"), await token("ANALYST")];
    expect((await server.send("GET", `/results/x/${path}`, { headers: viewer })).status).toBe(404);
    expect((await server.send("GET", `/results/x/${path}`, { headers: analyst })).status).toBe(200);
    expect((await server.send("GET", `/results/none/${path}`, { headers: analyst })).status).toBe(404);
  });

  test.each(all)("%s reports too little data and contains no number then", async (path) => {
    await server.create();
    await server.report(server.users(1, { a: 0, b: 0 }));
    const { status, json, text } = await server.send("GET", `/results/x/${path}`, {
      headers: { "x-api-key": server.key.key },
    });
    expect(status).toBe(200);
    expect(text).not.toMatch(/"p_value":[^n]/);
    for (const row of json.metrics ?? json.segments ?? []) expect(row.status).not.toBe("OK");
  });
});

import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { type Framework, JSON_TYPE } from "../../src/http/frameworks.ts";

export const hono: Framework = (routes) => {
  const app = new Hono();
  for (const { method, path, answer } of routes) {
    app.on(method, path, async (context) =>
      context.body(answer(method === "GET" ? undefined : await context.req.json()), 200, { "Content-Type": JSON_TYPE }),
    );
  }
  return getRequestListener(app.fetch);
};

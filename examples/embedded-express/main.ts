import { createAssay } from "@assay/server";
import express from "express";

const assay = createAssay({
  admin: { username: "admin", password: process.env.ADMIN_PASSWORD ?? "change me soon" },
});

const app = express();
// A body parser in front does no harm: Assay makes the body again from what it left.
app.use(express.json());
app.use(assay.node);
app.get("/hello", (_request, response) => {
  const { value } = assay.engine.evaluate("greeting", { targetingKey: "ada" }, false);
  response.send(value ? "Hello, Ada" : "Hello");
});

const server = app.listen(Number(process.env.PORT ?? 4400), "127.0.0.1", () => {
  const address = server.address();
  console.log(`ready at http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
});

process.once("SIGTERM", () => {
  server.close(() => assay.close());
});

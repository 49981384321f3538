import type { Host } from "./host.ts";

export const deno: Host = {
  example: "deno",
  title: "Deno",
  dependencies: { deno: "^2.9.6" },
  start: "npx deno run -A main.ts",
};

import type { Host } from "./host.ts";

export const bun: Host = {
  example: "bun",
  title: "Bun",
  dependencies: { bun: "^1.4.5" },
  start: "npx bun main.ts",
};

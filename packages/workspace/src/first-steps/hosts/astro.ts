import type { Host } from "./host.ts";

export const astro: Host = {
  example: "astro",
  title: "Astro",
  build: ["npx astro build"],
  env: { ASTRO_TELEMETRY_DISABLED: "1" },
  development: {
    start: "npx astro dev --host $HOST --port $PORT",
    page: "src/pages/index.astro",
    server: "src/assay.ts",
  },
};

import type { Host } from "./host.ts";

export const nuxt: Host = {
  example: "nuxt",
  title: "Nuxt 4, on Nitro 2",
  build: ["npx nuxt build"],
  env: { NUXT_TELEMETRY_DISABLED: "1" },
  development: {
    start: "npx nuxt dev --no-fork --host $HOST --port $PORT",
    page: "app/app.vue",
    server: "server/utils/assay.ts",
  },
};

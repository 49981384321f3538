import type { Host } from "./host.ts";

export const nitro: Host = {
  example: "nitro",
  title: "Nitro 3",
  build: ["npx nitro build"],
  development: { start: "npx nitro dev --host $HOST --port $PORT", page: "routes/index.ts", server: "assay.ts" },
};

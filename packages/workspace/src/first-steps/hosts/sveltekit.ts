import type { Host } from "./host.ts";

export const sveltekit: Host = {
  example: "sveltekit",
  title: "SvelteKit",
  build: ["npx vite build"],
  env: { BODY_SIZE_LIMIT: "2M" },
  development: {
    start: "npx vite dev --host $HOST --port $PORT",
    page: "src/routes/+page.svelte",
    server: "src/lib/server/assay.ts",
  },
};

import type { Host } from "./host.ts";

export const next: Host = {
  example: "nextjs",
  title: "Next.js",
  build: ["npx next build"],
  otherBuilds: [
    // The packages are bundled: by Turbopack, and by webpack.
    { files: { "next.config.mjs": "export default {};\n" }, build: ["npx next build"] },
    { build: ["npx next build --webpack"] },
  ],
  start: "npx next start",
  development: { start: "npx next dev", page: "app/page.tsx", server: "app/assay.ts" },
  env: { NEXT_TELEMETRY_DISABLED: "1" },
};

import type { Host } from "./host.ts";

export const reactRouter: Host = {
  example: "react-router",
  title: "React Router",
  build: ["npx react-router build"],
  development: {
    start: "npx react-router dev --host $HOST --port $PORT",
    page: "app/routes/home.tsx",
    server: "app/assay.server.ts",
  },
};

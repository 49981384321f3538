import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [index("routes/home.tsx"), route("assay/*", "routes/assay.ts")] satisfies RouteConfig;

import { defineConfig } from "vite";
import { proxy } from "./proxy.ts";

/** Serves the built site. VitePress has a server for this too, which cannot send the API to another server. */
export default defineConfig({
  appType: "mpa",
  publicDir: false,
  build: { outDir: ".vitepress/dist" },
  preview: { port: 4173, host: "127.0.0.1", proxy },
});

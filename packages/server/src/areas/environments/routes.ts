import type { environments } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof environments>({
  "GET /environments": ({ services }) => services.environments.list(),
});

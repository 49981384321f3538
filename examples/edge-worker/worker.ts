import {
  createEdgeSource,
  createFlagHandler,
  createSplitUrlHandler,
  type EdgeContext,
  type FlagHandler,
  type SplitUrlHandler,
} from "@assay/edge";

/** Bindings of the worker. */
export interface Env {
  ASSAY_URL: string;
  ASSAY_API_KEY: string;
}

// Made with the first request, because only requests bring the bindings; kept for all that follow.
let handlers: { split: SplitUrlHandler; flags: FlagHandler } | undefined;

function createHandlers({ ASSAY_URL, ASSAY_API_KEY }: Env) {
  const source = createEdgeSource({ baseUrl: ASSAY_URL, apiKey: ASSAY_API_KEY });
  const userId = { cookie: "user" };
  const attributes = (request: Request) => ({ country: request.headers.get("cf-ipcountry") });
  return {
    split: createSplitUrlHandler({ source, userId, attributes, routes: { "/pricing": "pricing" } }),
    flags: createFlagHandler({ source, userId, attributes, flags: ["free-shipping"] }),
  };
}

export default {
  async fetch(request: Request, env: Env, ctx: EdgeContext): Promise<Response> {
    handlers ??= createHandlers(env);
    const { split, flags } = handlers;
    return (await flags(request, ctx)) ?? split(request, fetch, ctx);
  },
};

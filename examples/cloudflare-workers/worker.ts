import { createEdgeSource, createFlagHandler, createSplitUrlHandler, type EdgeContext } from "@assay/edge";

/** Bindings of the worker. */
export interface Env {
  ASSAY_URL: string;
  ASSAY_API_KEY: string;
}

// Made with the first request, because only requests bring the bindings; kept for all that follow.
let handlers: ReturnType<typeof createHandlers> | undefined;

function createHandlers({ ASSAY_URL: baseUrl, ASSAY_API_KEY: apiKey }: Env) {
  const source = createEdgeSource({ baseUrl, apiKey });
  const userId = { cookie: "user" };
  return {
    split: createSplitUrlHandler({ source, userId, routes: { "/": "landing" } }),
    flags: createFlagHandler({ source, userId, flags: ["new-checkout"] }),
  };
}

export default {
  async fetch(request: Request, env: Env, context: EdgeContext): Promise<Response> {
    handlers ??= createHandlers(env);
    const { split, flags } = handlers;
    if (new URL(request.url).pathname === "/checkout") {
      const { value } = await flags.evaluate(request, "new-checkout", false, context);
      return new Response(value ? "The new checkout" : "The old checkout");
    }
    return (await flags(request, context)) ?? split(request, () => new Response("A page"), context);
  },
};

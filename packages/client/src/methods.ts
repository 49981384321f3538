import { type Client, toClient } from "./client.ts";
import { methods } from "./methods.generated.ts";
import { systemClock } from "./retry.ts";
import type { Answer, RequestArguments, Route } from "./route.ts";
import { type Call, type ClientOptions, createTransport } from "./transport.ts";

export * from "./index.ts";

type Methods = typeof methods;

type Method<R> = R extends Route ? (...options: RequestArguments<R>) => Promise<Answer<R>> : never;

/**
 * The client with a method for each operation, such as `featureFlags.evaluate`. Each takes the options of `request`.
 */
export type MethodClient = Client & {
  readonly [Area in keyof Methods]: { readonly [Name in keyof Methods[Area]]: Method<Methods[Area][Name]> };
};

/**
 * Creates a client with a method for each operation, beside `request` and `raw`.
 * @throws TypeError if `baseUrl` is not an http(s) address.
 * @example
 * const client = createClient({ apiKey: process.env.ASSAY_API_KEY });
 * await client.featureFlags.evaluate({ params: { key: "new-checkout" }, body: { user_id: "user-123" } });
 */
export function createClient(options: ClientOptions = {}): MethodClient {
  const send = createTransport(options, systemClock);
  const toMethod = (route: string) => async (call?: Call) => (await send(route, call)).data;
  const areas = Object.entries(methods).map(([area, routes]) => [
    area,
    Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, toMethod(route)])),
  ]);
  return { ...toClient(send), ...Object.fromEntries(areas) };
}

import { expectTypeOf } from "vitest";
import {
  type Answer,
  createClient,
  type Evaluation,
  type FeatureFlag,
  type RequestOptions,
  type Route,
} from "./index.ts";
import { createClient as createMethodClient } from "./methods.ts";

// Checked by `tsc`, never run.
const client = createClient();
const body = { user_id: "user-123" };
const params = { key: "my-flag" };

expectTypeOf(
  client.request("POST /feature-flags/{key}/evaluate", { params, body }),
).resolves.toEqualTypeOf<Evaluation>();
expectTypeOf(client.request("GET /feature-flags/{id}", { params: { id: "f" } })).resolves.toEqualTypeOf<FeatureFlag>();
expectTypeOf(client.request("DELETE /feature-flags/{id}", { params: { id: "f" } })).resolves.toEqualTypeOf<undefined>();
expectTypeOf(client.raw("GET /auth/me")).resolves.toHaveProperty("headers").toEqualTypeOf<Headers>();
expectTypeOf<Answer<"GET /feature-flags/user/{user_id}">>().toEqualTypeOf<{ [key: string]: boolean }>();
expectTypeOf<RequestOptions<"GET /feature-flags/">>().not.toHaveProperty("body");
expectTypeOf<"GET /nowhere">().not.toExtend<Route>();

// Options are optional exactly if nothing in them is required.
client.request("GET /feature-flags/");
client.request("GET /feature-flags/", { query: { limit: 10 } });
client.request("POST /tracking/track", { body: { event_type: "a", user_id: "u" }, idempotencyKey: "k" });
// @ts-expect-error params and body are required
client.request("POST /feature-flags/{key}/evaluate");

// @ts-expect-error no such route
client.request("POST /feature-flags/{key}/evaluat", { params, body });
// @ts-expect-error the method is part of the route
client.request("PUT /feature-flags/{key}/evaluate", { params, body });
// @ts-expect-error the path has no such parameter
client.request("POST /feature-flags/{key}/evaluate", { params: { id: "my-flag" }, body });
// @ts-expect-error user_id is required
client.request("POST /feature-flags/{key}/evaluate", { params, body: {} });
// @ts-expect-error a typo in the body
client.request("POST /feature-flags/{key}/evaluate", { params, body: { user_id: "u", attribute: {} } });
// @ts-expect-error a value outside the enumeration
client.request("GET /feature-flags/", { query: { status_filter: "ON" } });
// @ts-expect-error this route has no body
client.request("GET /feature-flags/", { body: {} });

const methods = createMethodClient();
expectTypeOf(methods.featureFlags.evaluate({ params, body })).resolves.toEqualTypeOf<Evaluation>();
expectTypeOf(methods.request("GET /feature-flags/")).resolves.items.toHaveProperty("key");
methods.featureFlags.list();
// @ts-expect-error params and body are required
methods.featureFlags.evaluate();
// @ts-expect-error no such operation
methods.featureFlags.toggle();

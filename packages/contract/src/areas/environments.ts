import * as z from "zod";
import { defineArea } from "../shared/route.ts";

export const Environment = z
  .object({
    name: z.string().meta({ description: "As `X-Assay-Environment` names it" }),
    is_default: z.boolean().meta({ description: "Requests that name no environment go to this one" }),
    is_current: z.boolean().meta({ description: "The environment that answered this request" }),
    is_protected: z.boolean().meta({ description: "Changes need the approval of another user; see `POST /proposals`" }),
  })
  .meta({ id: "Environment" });
export type Environment = z.infer<typeof Environment>;

export const environments = defineArea({
  "GET /environments": {
    operationId: "environments.list",
    summary: "List the environments of the server, the default one first",
    description:
      "Signed-in users choose the environment of a request with the header `X-Assay-Environment`. An API key belongs to one " +
      "environment and needs no header. A server without environments has one.",
    auth: { user: true },
    limit: "api",
    response: z.array(Environment),
  },
});

import * as z from "zod";
import { queryInteger } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";

export const FOUND_TYPES = ["flag", "experiment", "segment", "person"] as const;

export const SearchResults = z
  .object({
    results: z.array(
      z.object({
        type: z.enum(FOUND_TYPES),
        id: z.string(),
        key: z.string().meta({ description: "Key; the name of a segment, the username of a person" }),
        name: z.string(),
      }),
    ),
  })
  .meta({ id: "SearchResults" });
export type SearchResults = z.infer<typeof SearchResults>;

export const search = defineArea({
  "GET /search": {
    operationId: "search.find",
    summary: "Find flags, experiments, segments and people by a part of their key or name",
    description:
      "Exact matches come first, then those that start with the text. Only what the caller may see is found: VIEWER finds no " +
      "DRAFT experiments, and below ADMIN users find only themselves.",
    auth: { user: true },
    limit: "api",
    query: z.object({ q: z.string().trim().min(1).max(255), limit: queryInteger(1, 100).default(20) }),
    response: SearchResults,
  },
});

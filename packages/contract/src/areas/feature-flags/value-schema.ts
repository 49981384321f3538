import { findSchemaProblems } from "@assay/core/schema";
import * as z from "zod";
import type { Json } from "../../shared/fields.ts";

/** A JSON Schema for the values of a flag. */
export const ValueSchema = z
  .unknown()
  .superRefine((schema, context) => {
    for (const { path, message } of findSchemaProblems(schema)) {
      context.addIssue({ code: "custom", path, message, input: schema });
    }
  })
  .meta({
    id: "ValueSchema",
    type: "object",
    additionalProperties: {},
    description:
      "A JSON Schema (draft 2020-12) that the default value and the value of each variant must match. Only for flags of type " +
      "OBJECT. At most 50,000 characters; `$ref` only within the schema; see the page about evaluation for its keywords",
  }) as unknown as z.ZodRecord<z.ZodString, typeof Json>;

import { KINDS, type Kind } from "@assay/client/definitions";
import * as z from "zod";
import { SHAPES } from "./shape.ts";

/** The folder of the JSON Schemas for editors. */
const FOLDER = ".schemas";

/** Returns the place of a kind's schema, relative to its files. */
export function schemaPath(kind: Kind): string {
  return `../${FOLDER}/${kind}.json`;
}

/** Returns the JSON Schemas by which editors complete and check files, by their place in the tree. */
export function toSchemas(): [file: string, text: string][] {
  return KINDS.map((kind) => {
    const schema = z.toJSONSchema(SHAPES[kind], { io: "input", unrepresentable: "any" });
    const properties = { $schema: { type: "string" }, ...schema.properties };
    return [`${FOLDER}/${kind}.json`, `${JSON.stringify({ ...schema, properties }, null, 2)}\n`];
  });
}

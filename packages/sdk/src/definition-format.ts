import { type Definitions, SCHEMA_VERSION, SchemaVersionError } from "@assay/core";
import type { Format } from "./format.ts";

/** Definitions without any flag, for an engine before the first response. */
export const NO_DEFINITIONS: Definitions = {
  schema_version: SCHEMA_VERSION,
  flags: [],
  segments: [],
  groups: [],
  holdout: null,
  experiments: [],
};

/** The format of definitions, without an engine. */
export const definitionFormat = {
  empty: NO_DEFINITIONS,
  toRequest: () => ({ path: "/openfeature/flags", headers: {} }),
  parse: parseDefinitions,
  bootstrap: "definitions, as the server sends them",
} satisfies Partial<Format<Definitions>>;

/**
 * Parses the body of `GET /openfeature/flags`, as text or as parsed JSON. Checks only the outline: a single invalid
 * flag serves its default, but another kind of body must not replace the current flags.
 * @throws SyntaxError if the text is not JSON, TypeError if it is not a set of definitions, SchemaVersionError if its
 * format is newer.
 */
export function parseDefinitions(text: unknown): Definitions {
  const body: unknown = typeof text === "string" ? JSON.parse(text) : text;
  if (!isDefinitions(body)) throw new TypeError("Expected flag definitions");
  if (body.schema_version > SCHEMA_VERSION) throw new SchemaVersionError(body.schema_version);
  return { ...NO_DEFINITIONS, ...body };
}

function isDefinitions(body: unknown): body is Definitions {
  const { schema_version, flags, segments = [], groups = [], experiments = [] } = Object(body);
  return (
    Number.isInteger(schema_version ?? 1) &&
    [flags, segments, groups, experiments].every(Array.isArray) &&
    flags.every((flag: unknown) => typeof Object(flag).key === "string")
  );
}

import type { JsonValue } from "@assay/core";
import type { H3 } from "h3";
import { jsonResponse } from "../../http/boundary.ts";
import { createProtocolEndpoint, type ProtocolDeps } from "../../http/protocol-endpoint.ts";
import type { FlagRecord } from "../feature-flags/record.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";

/** A flag as the OpenFeature CLI writes accessors for it. */
export interface ManifestFlag {
  key: string;
  name: string;
  description: string;
  type: "boolean" | "string" | "integer" | "float" | "object";
  /** What code serves where the flag cannot be evaluated. */
  defaultValue: JsonValue;
}

const EMPTY = { BOOLEAN: false, STRING: "", NUMBER: 0, OBJECT: {} } as const;

/**
 * Mounts `GET /openfeature/v0/manifest`, which `openfeature pull` reads. SERVER keys only: it names and describes
 * every flag.
 */
export function mountManifest(app: H3, base: string, deps: ProtocolDeps & { flags: FeatureFlagService }): void {
  app.all(
    `${base}/openfeature/v0/manifest`,
    createProtocolEndpoint(
      {
        method: "GET",
        route: { auth: { key: "read" } },
        answer: ({ headers }) =>
          jsonResponse(200, JSON.stringify({ flags: toManifest(deps.flags.list({})) }), {
            ...headers,
            "X-Manifest-Capabilities": "read",
          }),
        refuse: (status, message) => ({ error: { message, status } }),
      },
      deps,
    ),
  );
}

/** Archived flags evaluate as missing, so nobody should be given an accessor for them. */
export function toManifest(flags: FlagRecord[]): ManifestFlag[] {
  return flags
    .filter(({ status }) => status !== "ARCHIVED")
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map((flag) => ({
      key: flag.key,
      name: flag.name,
      description: flag.description,
      type: typeOf(flag),
      defaultValue: flag.default_value ?? EMPTY[flag.value_type],
    }));
}

/** A number is an integer where every value it can have is one. */
function typeOf({ value_type, variants, default_value }: FlagRecord): ManifestFlag["type"] {
  if (value_type !== "NUMBER") return value_type.toLowerCase() as "boolean" | "string" | "object";
  const values = [...variants.map(({ value }) => value), default_value ?? 0];
  return values.every(Number.isInteger) ? "integer" : "float";
}

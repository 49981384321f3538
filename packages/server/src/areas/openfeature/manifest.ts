import type { JsonValue } from "@assay/core";
import type { H3 } from "h3-v2";
import { jsonResponse } from "../../http/boundary.ts";
import { createProtocolEndpoint, type ProtocolDeps, type ProtocolEndpoint } from "../../http/protocol-endpoint.ts";
import { API_PREFIX } from "../../http/router.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";

/** A flag in the format of the OpenFeature CLI, which generates accessors. */
export interface ManifestFlag {
  key: string;
  name: string;
  description: string;
  type: "boolean" | "string" | "integer" | "float" | "object";
  /** The fallback value in code. */
  defaultValue: JsonValue;
  /** A JSON Schema of the values, for flags that have one. The OpenFeature CLI ignores it. */
  valueSchema?: NonNullable<FlagRecord["value_schema"]>;
}

const EMPTY = { BOOLEAN: false, STRING: "", NUMBER: 0, OBJECT: {} } as const;

const PATH = "/openfeature/v0/manifest";
/** Capabilities of the caller, as the OpenFeature CLI expects them. */
const READ_ONLY = { "X-Manifest-Capabilities": "read" };

/**
 * Mounts `GET /openfeature/v0/manifest` for `openfeature pull`. Accepts SERVER keys only, because it describes every
 * flag. Rejects `openfeature push`.
 */
export function mountManifest(app: H3, base: string, deps: ProtocolDeps & { flags: FeatureFlagService }): void {
  const endpoint = (method: ProtocolEndpoint["method"], status: number, toBody: () => object) =>
    createProtocolEndpoint(
      {
        method,
        route: { operationId: "openfeature.manifest", auth: { key: "read" } },
        answer: ({ headers }) => jsonResponse(status, JSON.stringify(toBody()), { ...headers, ...READ_ONLY }),
        refuse: toError,
      },
      deps,
    );
  const message = `The manifest is read-only; create and change flags with ${API_PREFIX}/feature-flags`;
  app.all(
    base + PATH,
    endpoint("GET", 200, () => ({ flags: toManifest(deps.flags.list({})) })),
  );
  for (const [method, path] of WRITES) {
    app.on(
      method,
      base + PATH + path,
      endpoint(method, 403, () => toError(403, message)),
    );
  }
}

const WRITES = [
  ["POST", "/flags"],
  ["PUT", "/flags/:key"],
  ["DELETE", "/flags/:key"],
] as const;

function toError(status: number, message: string): object {
  return { error: { message, status } };
}

/** Archived flags evaluate as missing, so they get no accessor. */
function toManifest(flags: FlagRecord[]): ManifestFlag[] {
  return flags
    .filter(({ status }) => status !== "ARCHIVED")
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map((flag) => ({
      key: flag.key,
      name: flag.name,
      description: flag.description,
      type: typeOf(flag),
      defaultValue: flag.default_value ?? EMPTY[flag.value_type],
      ...(flag.value_schema ? { valueSchema: flag.value_schema } : {}),
    }));
}

/**
 * Returns the type of a flag. A number is an integer if all its possible values are integers within the range of all
 * languages.
 */
function typeOf({ value_type, variants, default_value }: FlagRecord): ManifestFlag["type"] {
  if (value_type !== "NUMBER") return value_type.toLowerCase() as "boolean" | "string" | "object";
  const values = [...variants.map(({ value }) => value), default_value ?? 0];
  return values.every(Number.isSafeInteger) ? "integer" : "float";
}

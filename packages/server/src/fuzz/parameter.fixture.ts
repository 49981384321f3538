import type { Route } from "@assay/contract";
import fc from "fast-check";
import type { z } from "zod";
import type { Pool } from "./pool.fixture.ts";

/** Parameter values, preferably ones the route accepts syntactically. */
export function toParameter(name: string, path: string, { params }: Route, pool: Pool): fc.Arbitrary<string> {
  const schema = params?.shape[name] as z.ZodType | undefined;
  const takes = (value: string) => schema?.safeParse(value).success ?? true;
  return fc.nat().map((at) => {
    const candidates = [0, 1, 2, 3, 4, 5].map((step) =>
      pool.pick(name === "id" ? toResource(path) : name, at + step * 12),
    );
    return candidates.find(takes) ?? candidates[0]!;
  });
}

/** Returns the kind of resource that ids and keys of a response refer to. */
export function toResource(path: string): string {
  if (path.endsWith("/grants")) return "grants";
  return path.startsWith("/safety/") ? "feature-flags" : path.split("/")[1]!;
}

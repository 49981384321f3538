import type { FeatureFlag } from "@assay/client";
import { DiffTable } from "../parts/diff.tsx";
import { toFacts } from "./words.ts";

/** A table of what differs between two versions of a flag. */
export function Diff({ before, after }: { before: Partial<FeatureFlag>; after: Partial<FeatureFlag> }) {
  return <DiffTable before={toFacts(before)} after={toFacts(after)} />;
}

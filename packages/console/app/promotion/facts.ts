import type { Condition, FeatureFlag } from "@assay/client";
import type { Kind } from "@assay/client/definitions";
import { sayCondition, toFacts } from "../flags/words.ts";
import type { Fact } from "../parts/diff.tsx";
import { toValue } from "../parts/format.ts";
import { TEXT } from "../text.ts";

/** Says a field of a definition in words, as the pages of flags and segments do, or else as its value. */
export function sayField(kind: Kind, field: string, value: unknown): Fact[] {
  const label = field.charAt(0).toUpperCase() + field.slice(1).replaceAll("_", " ");
  const isEmpty = value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return [{ label, text: TEXT.none }];
  if (kind === "segment" && field === "conditions") return [{ label, text: sayCondition(value as Condition) }];
  const facts = kind === "flag" ? toFacts({ [field]: value } as Partial<FeatureFlag>) : [];
  return facts.length > 0 ? facts : [{ label, text: toValue(value) }];
}

import type { Condition } from "@assay/core";
import type { Migration, Read, SegmentBody, Skipped } from "../mapping/migration.ts";
import { NoCounterpart, noCounterpart } from "../mapping/no-counterpart.ts";
import { EVERYONE } from "../mapping/rules.ts";
import { readEach, readPart } from "../mapping/shape.ts";
import { type GroupCondition, toAttribute, toCondition, toMembers } from "./condition.ts";
import { toFlag } from "./feature.ts";
import { readSource, SavedGroup } from "./payload.ts";

/** Reads the payload of an SDK connection, or the list of features of the REST API. */
export const readGrowthBook: Read = (payloads, options): Migration => {
  const source = readSource(payloads, options);
  const skipped: Skipped[] = [];
  const groups = createGroups(source.savedGroups);
  const converted = readEach(
    source.features,
    "flag",
    ({ key }) => key,
    (one) => toFlag(one, groups.condition),
    skipped,
  );
  return {
    segments: groups.segments(),
    flags: converted.map(({ flag }) => flag),
    experiments: converted.flatMap(({ experiments }) => experiments),
    skipped: [...skipped, ...converted.flatMap((one) => one.skipped)],
  };
};

/** Converts the saved groups that conditions refer to, each for the attribute that it compares. */
function createGroups(savedGroups: ReadonlyMap<string, unknown>) {
  const segments = new Map<string, SegmentBody>();
  const open = new Set<string>();
  const add = (name: string, conditions: Condition): Condition => {
    segments.set(name, { name, description: "", conditions, user_ids: [] });
    return { operator: "IN_SEGMENT", value: name };
  };
  const condition: GroupCondition = (id, attribute) => {
    if (!savedGroups.has(id)) return noCounterpart(`The saved group ${id} is not in the source`);
    const group = readPart(SavedGroup, savedGroups.get(id));
    if (!Array.isArray(group) && group.type === "condition") return addCondition(id, group.condition);
    const values = Array.isArray(group) ? group : group.values;
    const own = Array.isArray(group) || group.attributeKey === undefined ? undefined : toAttribute(group.attributeKey);
    const compared = attribute ?? own;
    if (compared === undefined) return noCounterpart(`The saved group ${id} has no attribute`);
    const name = `${id} (${compared})`;
    return add(name, toMembers(compared, values));
  };
  function addCondition(id: string, fields: Record<string, unknown>): Condition {
    if (open.has(id)) throw new NoCounterpart(`The saved group ${id} refers to itself`);
    open.add(id);
    try {
      return add(id, toCondition(fields, condition) ?? EVERYONE);
    } finally {
      open.delete(id);
    }
  }
  return { condition, segments: () => [...segments.values()] };
}

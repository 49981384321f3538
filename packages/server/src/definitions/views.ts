import type { Engine, FlagDefinition } from "@assay/core";
import type { View } from "./announcements.ts";
import { versionOf } from "./version.ts";

/** What SERVER keys may know: everything. */
export function createServerView(engine: Engine): View {
  return { version: () => versionOf(engine.definitions), visible: (change) => change };
}

/** What CLIENT keys may know: that flags made for them changed, and no other name. */
export function createClientView(engine: Engine, isClientSide: (flagKey: string) => boolean): View {
  const selections = new WeakMap<object, FlagDefinition[]>();
  // One that is taken away from clients changes for them once more, so names that were theirs stay theirs.
  const known = new Set<string>();

  function select(): FlagDefinition[] {
    const { definitions } = engine;
    let selected = selections.get(definitions);
    if (!selected) {
      selected = definitions.flags.filter(({ key }) => isClientSide(key));
      selections.set(definitions, selected);
      for (const { key } of selected) known.add(key);
    }
    return selected;
  }

  return {
    version: () => versionOf(select()),
    visible(change) {
      select();
      return { flags: change.flags.filter((key) => known.has(key)), experiments: [] };
    },
  };
}

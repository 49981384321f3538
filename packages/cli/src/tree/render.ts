import { isDeepStrictEqual } from "node:util";
import type { Fields, Kind, StoredDefinition } from "@assay/client/definitions";
import { Document } from "yaml";
import { complete, hasDerivedArms } from "./complete.ts";
import { FILE_FIELDS, LEFT_ALONE, nameField } from "./fields.ts";
import type { TreeFile } from "./read.ts";
import { schemaPath } from "./schemas.ts";

export type Format = "yaml" | "json";

/** Long texts stay on one line, so that a changed word changes one line. */
const LAYOUT = { lineWidth: 0 };

/** Returns the text of a new file: the fields that differ from their defaults, and always status and rollout. */
export function renderNew({ kind, fields }: StoredDefinition, format: Format): string {
  const shown = Object.fromEntries(FILE_FIELDS[kind].map((name) => [name, shownValue(kind, fields, name)]));
  const given = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
  if (format === "json") return toJson({ $schema: schemaPath(kind), ...given });
  const document = new Document(given, { aliasDuplicateObjects: false });
  document.commentBefore = ` yaml-language-server: $schema=${schemaPath(kind)}`;
  return document.toString(LAYOUT);
}

/** Returns the text of a file with what the server has; the same text if nothing differs. Comments stay where they are. */
export function renderChanged({ kind, file, text, source, given }: TreeFile, stored: StoredDefinition): string {
  const { fields } = stored;
  const before = complete(kind, given, fields);
  const changed = FILE_FIELDS[kind].filter((name) => !isDeepStrictEqual(before[name] ?? null, fields[name] ?? null));
  if (changed.length === 0) return text;
  const { document } = source;
  for (const name of changed) {
    const value = shownValue(kind, fields, name);
    if (value === undefined) document.delete(name);
    else document.set(name, document.createNode(value, { aliasDuplicateObjects: false }));
  }
  if (file.endsWith(".json")) return toJson(document.toJS());
  try {
    return document.toString(LAYOUT);
  } catch {
    // An alias whose anchor was in a field that changed.
    return renderNew(stored, "yaml");
  }
}

/** Returns the value of a field in a file; undefined if the file leaves it out. */
function shownValue(kind: Kind, fields: Fields, name: string): unknown {
  const value = fields[name] ?? null;
  if (LEFT_ALONE.includes(name) && value !== null) return value;
  if (value === null || (kind === "experiment" && name === "variants" && hasDerivedArms(fields))) return undefined;
  const plain = complete(kind, { [nameField(kind)]: "", name: "" }, undefined);
  return isDeepStrictEqual(value, plain[name]) ? undefined : value;
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

import { type Kind, nameOf, type StoredDefinition } from "@assay/client/definitions";
import { newFile } from "../tree/file-name.ts";
import type { TreeFile } from "../tree/read.ts";
import { type Format, renderChanged, renderNew } from "../tree/render.ts";

/** What a pull does with a file. */
export interface FileChange {
  kind: Kind;
  key: string;
  /** Relative to the tree. */
  file: string;
  /** `keep` for a file of something that the server does not have. */
  action: "create" | "update" | "delete" | "keep";
  /** The text to write, if any. */
  text: string;
}

/** Compares files with a server. Returns the files that differ. */
export function findChanges(
  files: readonly TreeFile[],
  stored: readonly StoredDefinition[],
  { format, deletes }: { format: Format; deletes: boolean },
): FileChange[] {
  const here = new Map(files.map((file) => [nameOf(file), file]));
  const there = new Set(stored.map(nameOf));
  const taken = files.map(({ file }) => file);
  const changes = stored.flatMap((one): FileChange[] => {
    const { kind, key } = one;
    const existing = here.get(nameOf(one));
    if (!existing) {
      const file = newFile(kind, key, format, taken);
      taken.push(file);
      return [{ kind, key, file, action: "create", text: renderNew(one, format) }];
    }
    const text = renderChanged(existing, one);
    return text === existing.text ? [] : [{ kind, key, file: existing.file, action: "update", text }];
  });
  const unknown = files.filter((file) => !there.has(nameOf(file)));
  return [
    ...changes,
    ...unknown.map(({ kind, key, file }): FileChange => {
      return { kind, key, file, action: deletes ? "delete" : "keep", text: "" };
    }),
  ];
}

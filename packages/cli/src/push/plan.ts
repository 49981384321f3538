import { compare, inOrder, nameOf, type Step, type StoredDefinition } from "@assay/client/definitions";
import { findMissing } from "../tree/check.ts";
import type { FileProblem } from "../tree/problem.ts";
import { locate, type Tree, toDefinition } from "../tree/read.ts";
import { locksOf } from "./locks.ts";

/** What a push does. */
export interface PushPlan {
  steps: Step[];
  /** What the server has and the tree has not, if it stays. */
  unlisted: string[];
  /** References to what neither the tree nor the server has. */
  problems: FileProblem[];
}

/** Compares a tree with a server. @param deletes whether what the tree does not have is deleted */
export function makePlan({ files }: Tree, stored: readonly StoredDefinition[], deletes: boolean): PushPlan {
  const there = new Map(stored.map((one) => [nameOf(one), one]));
  const definitions = files.map((file) => ({ file, definition: toDefinition(file, there.get(nameOf(file))) }));
  const listed = new Set(files.map(nameOf));
  const unlisted = stored.filter((one) => !listed.has(nameOf(one)));
  const isKnown = (kind: "segment" | "flag", key: string) => {
    const name = nameOf({ kind, key });
    return listed.has(name) || (there.has(name) && !deletes);
  };
  const source = definitions.map(({ definition }) => definition);
  return {
    steps: [
      ...compare(source, stored, locksOf(stored)),
      ...(deletes ? inOrder(unlisted).reverse().map(toDeletion) : []),
    ],
    unlisted: deletes ? [] : unlisted.map(nameOf),
    problems: definitions.flatMap(({ file, definition }) => locate(file, findMissing(definition, isKnown))),
  };
}

function toDeletion({ kind, key, id, version, status }: StoredDefinition): Step {
  const isKept = kind === "experiment" && status !== "DRAFT";
  const refusal = isKept ? `it is ${status}, and only a DRAFT can be deleted` : null;
  return { kind, key, action: "delete", changes: [], refusal, target: { id, version } };
}

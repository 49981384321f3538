/** A part of a source that Assay cannot express. The flag that contains it is not migrated, for this reason. */
export class NoCounterpart extends Error {
  override readonly name = "NoCounterpart";
}

/** @throws {NoCounterpart} */
export function noCounterpart(reason: string): never {
  throw new NoCounterpart(reason);
}

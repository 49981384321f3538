import type { Definitions } from "../evaluation/definition.ts";
import type { HeldDefinitions } from "../evaluation/held-definitions.ts";
import { definitionParts } from "./definition-body.ts";
import { createLoaderWith, type Loader, type LoaderOptions, type LoadingParts } from "./loader.ts";

/** What a loader of definitions is put together from. */
export type LoaderParts<E extends HeldDefinitions> = Pick<LoadingParts<Definitions, E>, "createEngine">;

/** Creates a loader of definitions. @throws OptionError where an option is not of its kind */
export function createLoader<E extends HeldDefinitions>(
  parts: LoaderParts<E>,
  options: LoaderOptions,
): Loader<Definitions, E> {
  return createLoaderWith({ ...definitionParts, ...parts }, options);
}

import type { Definitions } from "../evaluation/definition.ts";

/** What is made once for the definitions of an engine, and anew for those that replace them. */
export function perDefinitions<T>(
  engine: { readonly definitions: Definitions },
  make: (definitions: Definitions) => T,
): () => T {
  let definitions = engine.definitions;
  let made = make(definitions);
  return () => {
    if (definitions !== engine.definitions) {
      definitions = engine.definitions;
      made = make(definitions);
    }
    return made;
  };
}

/** A cache that is rebuilt when an engine's definitions are replaced. */
export function perDefinitions<D, T>(engine: { readonly definitions: D }, make: (definitions: D) => T): () => T {
  let definitions: D | undefined;
  let made: T;
  return () => {
    if (definitions !== engine.definitions) {
      definitions = engine.definitions;
      made = make(definitions);
    }
    return made;
  };
}

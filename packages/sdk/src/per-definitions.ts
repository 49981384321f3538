/** What is made once for the definitions of an engine, and anew for those that replace them. */
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

import { useLayoutEffect, useState } from "react";

/** State that survives a reload of this tab, until it is cleared. `key` names what is edited. */
export function useDraft<T>(key: string, initial: T) {
  const name = `assay.draft.${key}`;
  const [draft, setDraft] = useState<T>(() => {
    const kept = sessionStorage.getItem(name);
    return kept === null ? initial : (JSON.parse(kept) as T);
  });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(initial);
  // Before the browser paints, so that a reload right after a key press loses nothing.
  useLayoutEffect(() => {
    if (isChanged) sessionStorage.setItem(name, JSON.stringify(draft));
    else sessionStorage.removeItem(name);
  }, [name, draft, isChanged]);
  const clear = () => {
    sessionStorage.removeItem(name);
    setDraft(initial);
  };
  return { draft, setDraft, isChanged, clear };
}

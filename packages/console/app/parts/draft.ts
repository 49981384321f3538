import { useLayoutEffect, useState } from "react";
import { ENVIRONMENT } from "../environment.ts";

/** Returns where a draft is kept. Another environment has other drafts of what has the same key. */
const nameOf = (key: string) => `assay.draft.${ENVIRONMENT === undefined ? "" : `${ENVIRONMENT}/`}${key}`;

/** Whether this tab keeps a draft, such as after a reload. */
export const hasDraft = (key: string): boolean => sessionStorage.getItem(nameOf(key)) !== null;

/** Forgets a draft. */
export const dropDraft = (key: string): void => sessionStorage.removeItem(nameOf(key));

/** State that survives a reload of this tab, until it is cleared. `key` names what is edited. Never hand it a secret. */
export function useDraft<T>(key: string, initial: T) {
  const name = nameOf(key);
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

/** The draft of a dialog, which ends when the dialog closes. Open the dialog again on load if {@link hasDraft}. */
export function useDialogDraft<T extends object>(key: string, initial: T, onClose: () => void) {
  const { draft, setDraft, clear } = useDraft(key, initial);
  return {
    draft,
    set: (change: Partial<T>) => setDraft({ ...draft, ...change }),
    close() {
      clear();
      onClose();
    },
  };
}

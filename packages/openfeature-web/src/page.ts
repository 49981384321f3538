/** Page events that matter to background work. */
export interface PageListeners {
  /** It is looked at again, or connected again. */
  onShow(): void;
  /** It is left or covered, and may never run again. */
  onHide(): void;
}

/** Listens to the page there is, if any. Returns the function that stops it. */
export function watchPage({ onShow, onHide }: PageListeners): () => void {
  const page: Document | undefined = globalThis.document;
  const controller = new AbortController();
  const { signal } = controller;
  page?.addEventListener("visibilitychange", () => (page.visibilityState === "hidden" ? onHide() : onShow()), {
    signal,
  });
  // Not in Node.
  globalThis.addEventListener?.("pagehide", onHide, { signal });
  globalThis.addEventListener?.("online", onShow, { signal });
  return () => controller.abort();
}

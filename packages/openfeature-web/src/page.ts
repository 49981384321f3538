/** Page events that matter to background work. */
export interface PageListeners {
  /** The page is visible or online again. */
  onShow(): void;
  /** The page is left or hidden, and may never run again. */
  onHide(): void;
}

/** Listens to the page, if there is one. Returns a function that stops listening. */
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

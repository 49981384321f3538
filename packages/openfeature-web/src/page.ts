/** The page events that background work needs. */
export interface PageListeners {
  /** Called when the page is visible or online again. */
  onShow(): void;
  /** Called when the page is left or hidden, and may never run again. */
  onHide(): void;
}

/** Listens to page events, if there is a page. Returns a function that stops listening. */
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

/**
 * Listens to page events, if there is a page. Returns a function that stops listening.
 * @param onShow called when the page is visible or online again
 * @param onHide called when the page is left or hidden, and may never run again
 */
export function watchPage(onShow: () => void, onHide: () => void): () => void {
  const page: Document | undefined = globalThis.document;
  const onChange = () => (page!.visibilityState === "hidden" ? onHide() : onShow());
  // Without signals: those of Node, which jest-fixed-jsdom provides, are not the page's.
  const change = (how: "addEventListener" | "removeEventListener") => {
    page?.[how]("visibilitychange", onChange);
    // Not in Node.
    globalThis[how]?.("pagehide", onHide);
    globalThis[how]?.("online", onShow);
  };
  change("addEventListener");
  return () => change("removeEventListener");
}

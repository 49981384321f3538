import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

/** A modal dialog of the browser, which keeps the focus inside and returns it. Without `onClose` it stays open. */
export function Dialog({ title, children, onClose }: { title: string; children: ReactNode; onClose?: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Before the browser paints, so that the first key goes to the dialog.
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (element && !element.open) element.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { TEXT } from "../text.ts";

/** A button that copies a text, and says that it did. */
export function CopyButton({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  const Icon = isCopied ? Check : Copy;
  return (
    <button type="button" onClick={() => void copy().catch(() => {})}>
      <Icon aria-hidden size={16} />
      <span aria-live="polite">{isCopied ? TEXT.actions.copied : TEXT.actions.copy}</span>
    </button>
  );
}

/** A secret that is shown once. */
export function Secret({ value, label }: { value: string; label: string }) {
  return (
    <div className="stack">
      <p className="note">{label}</p>
      <div className="secret">
        <code>{value}</code>
        <CopyButton text={value} />
      </div>
    </div>
  );
}

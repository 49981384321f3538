import { isAssayError } from "@assay/client";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { Proposed } from "../protection.ts";
import { TEXT } from "../text.ts";

const toField = (loc: readonly (string | number)[]) => loc.filter((part) => part !== "body");

/** What the server says about one field of a form, such as `email`, or the path of a nested one. */
export function issueOf(error: unknown, ...path: (string | number)[]): string | undefined {
  if (!isAssayError(error)) return undefined;
  return error.issues.find(({ loc }) => path.every((part, index) => toField(loc)[index] === part))?.msg;
}

/** What people read of an error, with the id that the log of the server has too. `except` names fields to leave out. */
export function describeError(
  error: unknown,
  except: readonly string[] = [],
): { detail: string; requestId?: string; wait?: number } {
  if (!isAssayError(error)) return { detail: TEXT.errors.unexpected };
  const { requestId, retryAfter } = error;
  if (error.status === 0) return { detail: TEXT.errors.unreachable };
  if (error.status === 429) return { detail: TEXT.errors.tooMany, requestId, wait: retryAfter };
  if (error.issues.length === 0) return { detail: error.detail, requestId };
  const issues = error.issues.filter(({ loc }) => !except.includes(String(toField(loc)[0])));
  const lines = issues.map(({ loc, msg }) => [toField(loc).join(" › "), msg].filter((part) => part !== "").join(": "));
  return { detail: lines.join(". "), requestId };
}

/** An error in place of what failed, with a way to repeat it. */
export function Problem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { detail, requestId, wait } = describeError(error);
  const [left, setLeft] = useState(Math.ceil(wait ?? 0));
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <div className="problem-box" role="alert">
      <p>{detail}</p>
      {requestId && (
        <p className="hint">
          {TEXT.errors.requestId} <code>{requestId}</code>
        </p>
      )}
      <button type="button" onClick={onRetry} disabled={left > 0}>
        {left > 0 ? TEXT.errors.retryIn(left) : TEXT.errors.retry}
      </button>
    </div>
  );
}

/** A failed action, next to its control, or a proposed one. `except` names fields that show their errors themselves. */
export function ActionError({ error, except }: { error: unknown; except?: readonly string[] }) {
  if (!error) return null;
  if (error instanceof Proposed) {
    return (
      <p role="status" className="note">
        {TEXT.proposals.done}{" "}
        <Link to="/proposals/$id" params={{ id: error.proposal.id }}>
          {TEXT.proposals.see}
        </Link>
      </p>
    );
  }
  const { detail, requestId, wait } = describeError(error, except);
  if (detail === "") return null;
  return (
    <p role="alert" className="problem">
      {detail} {wait !== undefined && TEXT.errors.waitFor(Math.ceil(wait))}
      {requestId && (
        <span className="hint">
          {" "}
          {TEXT.errors.requestId} <code>{requestId}</code>
        </span>
      )}
    </p>
  );
}

export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <p>{children}</p>
      {action}
    </div>
  );
}

/** Grey rows of the height that the content will have. */
export function Skeleton({ rows = 6, height = 48 }: { rows?: number; height?: number }) {
  return (
    <div role="status" className="skeleton" style={{ minHeight: `${rows * height}px` }}>
      <span className="sr">{TEXT.shell.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} style={{ height: `${height - 12}px` }} />
      ))}
    </div>
  );
}

export function Loading() {
  return (
    <div className="page">
      <Skeleton rows={4} />
    </div>
  );
}

export function NotFound() {
  return (
    <div className="page">
      <h1>{TEXT.errors.notFound}</h1>
      <p className="muted">{TEXT.errors.notFoundLead}</p>
    </div>
  );
}

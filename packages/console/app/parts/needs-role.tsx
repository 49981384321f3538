import type { ButtonHTMLAttributes } from "react";
import { type Role, useMissingRole } from "../shell/me.ts";
import { TEXT } from "../text.ts";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement>;

/** A button that is disabled, with the reason beside it, while something is missing. */
export function HintedButton({ missing, disabled, children, ...rest }: ButtonProps & { missing: string | undefined }) {
  return (
    <span className="role-button">
      <button type="button" {...rest} disabled={disabled || missing !== undefined}>
        {children}
      </button>
      {missing && <span className="hint">{missing}</span>}
    </span>
  );
}

/** A button for users with a role. Others see it disabled, with the role that it needs. */
export function RoleButton({ needs, owner, ...rest }: ButtonProps & { needs: Role; owner?: string }) {
  const missing = useMissingRole(needs, owner);
  return <HintedButton {...rest} missing={missing && TEXT.needsRole(TEXT.roles[missing])} />;
}

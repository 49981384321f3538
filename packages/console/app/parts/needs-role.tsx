import type { ButtonHTMLAttributes } from "react";
import { type Role, useMissingRole } from "../shell/me.ts";
import { TEXT } from "../text.ts";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & { needs: Role; owner?: string };

/** A button for users with a role. Others see it disabled, with the role that it needs. */
export function RoleButton({ needs: role, owner, disabled, children, ...rest }: Props) {
  const missing = useMissingRole(role, owner);
  return (
    <span className="role-button">
      <button type="button" {...rest} disabled={disabled || missing !== undefined}>
        {children}
      </button>
      {missing && <span className="hint">{TEXT.needsRole(TEXT.roles[missing])}</span>}
    </span>
  );
}

import { isCommonPassword } from "@assay/contract";

const MIN_PASSWORD_LENGTH = 12;

/** Refuses to start in production (`NODE_ENV`) with weak secrets. @throws {Error} naming the option */
export function requireStrongSecrets(options: { admin?: { username: string; password: string } }): void {
  if (process.env.NODE_ENV !== "production" || !options.admin) return;
  const { username, password } = options.admin;
  const fault =
    password.length < MIN_PASSWORD_LENGTH
      ? `has fewer than ${MIN_PASSWORD_LENGTH} characters`
      : isCommonPassword(password)
        ? "is one of the most common ones"
        : password.toLowerCase() === username.toLowerCase()
          ? "is the username"
          : undefined;
  if (fault) throw new Error(`The administrator's password ${fault}; NODE_ENV=production requires a stronger one`);
}

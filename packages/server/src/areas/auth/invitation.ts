/** Who may sign up: everyone, invited e-mails, or no one. */
export type SignupMode = "OPEN" | "INVITE" | "OFF";

/** Whether a list of e-mails (`ada@example.org`) and domains (`@example.org`) contains an e-mail, ignoring case. */
export function isInvited(email: string, invited: readonly string[]): boolean {
  const address = email.toLowerCase();
  const domain = address.slice(address.lastIndexOf("@"));
  return invited.some((entry) => [address, domain].includes(entry.trim().toLowerCase()));
}

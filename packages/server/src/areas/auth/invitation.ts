/** Who may open an account: everyone, those whose e-mail is on the list, or nobody. */
export type SignupMode = "OPEN" | "INVITE" | "OFF";

/** Whether an e-mail is on a list of e-mails (`ada@example.org`) and domains (`@example.org`), in any letter case. */
export function isInvited(email: string, invited: readonly string[]): boolean {
  const address = email.toLowerCase();
  const domain = address.slice(address.lastIndexOf("@"));
  return invited.some((entry) => [address, domain].includes(entry.trim().toLowerCase()));
}

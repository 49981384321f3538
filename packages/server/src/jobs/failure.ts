const LENGTH = 500;

/** What could be a secret in the text of an error: passwords in URLs, tokens, keys. */
const SECRETS: [RegExp, string][] = [
  [/(\/\/)[^\s/@]+@/g, "$1***@"],
  [/\b(Bearer|Basic)\s+\S+/gi, "$1 ***"],
  [/\basy_\w+/g, "***"],
  [/([?&;]\s*[\w.-]*(?:token|secret|password|key|signature)[\w.-]*=)[^\s&;]+/gi, "$1***"],
  [/\b((?:\w+_)?(?:token|secret|password|api_?key)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;]+)/gi, "$1***"],
];

/** Why something failed, in at most 500 characters that may be logged and shown: what looks like a secret is masked. */
export function describeFailure(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return SECRETS.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), text).slice(0, LENGTH);
}

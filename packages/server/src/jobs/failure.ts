const LENGTH = 500;

/** Patterns of possible secrets in error messages: passwords in URLs, tokens, keys. */
const SECRETS: [RegExp, string][] = [
  [/(\/\/)[^\s/@]+@/g, "$1***@"],
  [/\b(Bearer|Basic)\s+\S+/gi, "$1 ***"],
  [/\basy_\w+/g, "***"],
  [/([?&;]\s*[\w.-]*(?:token|secret|password|key|signature)[\w.-]*=)[^\s&;]+/gi, "$1***"],
  [/\b((?:\w+_)?(?:token|secret|password|api_?key)["']?\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,;]+)/gi, "$1***"],
];

/** Returns the message of an error in at most 500 characters, with possible secrets masked. Safe to log and show. */
export function describeFailure(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return SECRETS.reduce((masked, [pattern, mask]) => masked.replace(pattern, mask), text).slice(0, LENGTH);
}

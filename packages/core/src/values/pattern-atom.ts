/** Tests whether a code point belongs to a class, an escape or a literal. */
export type CodePointTest = (code: number) => boolean;

/**
 * Creates the test of one code point against an atom. The platform's own `RegExp` decides, which is fast for one code
 * point, and each result is cached.
 *
 * @throws SyntaxError if `RegExp` rejects the atom
 */
export function createAtomTest(atom: string): CodePointTest {
  const native = new RegExp(`^${atom}$`, "u");
  const ascii: (boolean | undefined)[] = new Array(128);
  return (code) => {
    if (code > 127) return native.test(String.fromCodePoint(code));
    const matches = ascii[code] ?? native.test(String.fromCodePoint(code));
    ascii[code] = matches;
    return matches;
  };
}

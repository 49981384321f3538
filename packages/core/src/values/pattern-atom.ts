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
  const ascii: boolean[] = [];
  const test: CodePointTest = (code) => native.test(String.fromCodePoint(code));
  return (code) => {
    if (code > 127) return test(code);
    ascii[code] ??= test(code);
    return ascii[code];
  };
}

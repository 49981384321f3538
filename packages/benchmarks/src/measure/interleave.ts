/** What is measured: `measure` returns one figure. */
export interface Subject {
  name: string;
  measure(): number | Promise<number>;
}

/**
 * Measures subjects in turns (A B C A B C …), so that a machine that slows down slows all of them.
 *
 * @returns the figures of each subject, one a round, in the order of the rounds
 * @throws RangeError if two subjects have the same name
 */
export async function interleave(subjects: readonly Subject[], rounds: number): Promise<Map<string, number[]>> {
  const figures = new Map(subjects.map(({ name }): [string, number[]] => [name, []]));
  if (figures.size < subjects.length) throw new RangeError("Two subjects have the same name");
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of subjects) figures.get(name)!.push(await measure());
  }
  return figures;
}

import { readFileSync } from "node:fs";
import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from "@cucumber/gherkin";
import { IdGenerator } from "@cucumber/messages";

/** One scenario, with the rows of its examples filled in. */
export interface Scenario {
  title: string;
  tags: string[];
  steps: string[];
}

/** A step: its pattern, and its effect on the state that the steps before it left. */
export type Step<World> = [pattern: RegExp, run: (world: World, ...groups: string[]) => unknown];

/** Reads the scenarios of a file in `gherkin`. */
export function readScenarios(file: string): Scenario[] {
  const newId = IdGenerator.incrementing();
  const parser = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher());
  const document = parser.parse(readFileSync(new URL(`./gherkin/${file}`, import.meta.url), "utf8"));
  return compile(document, file, newId).map(({ name, tags, steps }, index) => {
    const first = steps.find(({ text }) => text.includes('key "'))?.text ?? "";
    return {
      title: `${index + 1}. ${name} ${/key "([^"]*)"/.exec(first)?.[1] ?? ""}`.trim(),
      tags: tags.map((tag) => tag.name),
      steps: steps.map(({ text }) => text),
    };
  });
}

/**
 * Runs the steps in order.
 * @throws Error if a step is unknown
 */
export async function runScenario<World>(
  scenario: Scenario,
  steps: readonly Step<World>[],
  world: World,
): Promise<void> {
  for (const text of scenario.steps) {
    const match = steps.map(([pattern, run]) => ({ groups: pattern.exec(text), run })).find(({ groups }) => groups);
    if (!match?.groups) throw new Error(`No step for: ${text}`);
    await match.run(world, ...match.groups.slice(1));
  }
}

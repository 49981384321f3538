import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, TYPED } from "../../docs/blocks.ts";
import { readTutorial } from "./tutorial.ts";

const page = (...parts: string[]) => `# Title\n\nIntroduction.\n\n## First\n\n${parts.join("\n\n")}\n`;
const block = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``;

test("a tutorial is commands, what they print, files, and servers in terminals of their own", () => {
  const text = page(
    "Do this:",
    block("sh", "cd app"),
    block("", "done"),
    "The page, in `app/page.ts`:",
    block("ts", "export {};"),
    "In a new terminal, start it:",
    block("sh", "npm start"),
    block("", "ready"),
  );
  expect(readTutorial(text)).toEqual([
    {
      title: "First",
      steps: [
        { kind: "commands", text: "cd app\n", isNewTerminal: false, printed: "done\n" },
        { kind: "file", path: "app/page.ts", text: "export {};\n" },
        { kind: "commands", text: "npm start\n", isNewTerminal: true, printed: "ready\n" },
      ],
    },
  ]);
});

test.each([
  ["file without a path", page("A file:", block("ts", "export {};")), "No path"],
  ["output without commands", page("It prints:", block("", "done")), "No commands"],
  ["output that other text separates", page(block("sh", "cd app"), "Then:", block("", "done")), "No commands"],
])("a %s is refused", (_, text, message) => {
  expect(() => readTutorial(text)).toThrow(message);
});

test("the five first steps begin with a server, and each says what it prints", () => {
  const sections = readTutorial(readFileSync(join(ROOT, TYPED), "utf8"));
  expect(sections).toHaveLength(6);
  for (const { title, steps } of sections) {
    expect(
      steps.filter((step) => step.kind === "commands" && step.printed),
      title,
    ).not.toEqual([]);
    // Without lines to wait for, the next commands would not find the server.
    expect(steps.filter((step) => step.kind === "commands" && step.isNewTerminal && !step.printed)).toEqual([]);
  }
});

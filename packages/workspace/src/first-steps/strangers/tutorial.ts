/** What a tutorial tells its reader to do next. */
export type Step =
  | { kind: "file"; path: string; text: string }
  /** Commands, and what the page says that they print. Those of a new terminal start a server, which stays. */
  | { kind: "commands"; text: string; isNewTerminal: boolean; printed?: string };

export interface Section {
  title: string;
  steps: Step[];
}

const BLOCK = /^```(\w*)\n(.*?)^```$/gms;

/**
 * Reads the sections of a tutorial. A reader understands its blocks like this:
 * - `sh`: commands for the terminal, or for a new one if the paragraph before says so;
 * - no language, after commands: what they print;
 * - any other language: a file, whose path is the last code in the paragraph before.
 * @throws Error for a block that a reader would not know what to do with
 */
export function readTutorial(page: string): Section[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((text) => ({ title: text.slice(0, text.indexOf("\n")), steps: readSteps(text) }));
}

function readSteps(section: string): Step[] {
  const steps: Step[] = [];
  let end = 0;
  for (const { index, 0: block, 1: language = "", 2: text = "" } of section.matchAll(BLOCK)) {
    const before = section.slice(end, index).trim().split("\n\n").at(-1) ?? "";
    end = index + block.length;
    const last = steps.at(-1);
    if (language === "sh") {
      steps.push({ kind: "commands", text, isNewTerminal: before.includes("In a new terminal") });
    } else if (language === "") {
      if (last?.kind !== "commands" || before) throw new Error(`No commands print this:\n${text}`);
      last.printed = text;
    } else {
      const [, path] = /`([^`]+)`[.:]$/.exec(before) ?? [];
      if (!path) throw new Error(`No path for this file:\n${text}`);
      steps.push({ kind: "file", path, text });
    }
  }
  return steps;
}

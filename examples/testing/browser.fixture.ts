import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CHROMIUM = process.env.ASSAY_TEST_CHROMIUM ?? "/usr/bin/chromium";

/** Whether there is a Chromium to drive; in CI there has to be one. */
export const hasBrowser = existsSync(CHROMIUM) || process.env.CI === "true";

/** Starts Chromium without the requests that it would send by itself, such as for updates. */
export function launchBrowser(): Promise<Browser> {
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", ...quiet] });
}

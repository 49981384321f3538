import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { buildConsole, launchBrowser, signIn, startServer } from "./console.fixture.ts";
import { createClock } from "./cookie-cats.fixture.ts";
import { openProposals, openShop, openStaging } from "./screenshots.fixture.ts";

/**
 * Takes the pictures of every page in docs/console, or of the pages whose names are given, with the real experiment of the game
 * Cookie Cats.
 */
const wanted = process.argv.slice(2);
const FOLDER = fileURLToPath(new URL("../../../docs/console/", import.meta.url));
const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

const clock = createClock(Date.parse("2026-11-01T08:00:00Z"));
const assets = await buildConsole();
const server = await startServer(assets, { now: clock.now });
const { url } = server;
await openShop(server, clock);
await mkdir(FOLDER, { recursive: true });
/** A server whose jobs run. */
const operated = await startServer(assets, { jobs: true, now: clock.now });
for (const { name } of (await operated.admin.request("GET /scheduler/jobs")).items) {
  await operated.admin.request("POST /scheduler/jobs/{job_name}/trigger", { params: { job_name: name } });
}
/** A server whose environment is protected. */
const guarded = await startServer(assets, { protected: true, now: clock.now });
await openProposals(guarded);
const shop = await guarded.admin.request("POST /api-keys", { body: { name: "Shop", scopes: ["read", "write"] } });
/** A server with two environments. */
const twofold = await startServer(assets, { environments: ["production", "staging"], now: clock.now });
await openStaging(twofold);
const browser = await launchBrowser();
for (const colorScheme of ["light", "dark"] as const) {
  for (const viewport of SIZES) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
    const page = await context.newPage();
    await page.clock.setFixedTime(clock.now());
    const take = async (name: string) => {
      if (wanted.length > 0 && !wanted.includes(name)) return;
      const path = `${FOLDER}${name}-${viewport.width}-${colorScheme}.png`;
      await page.screenshot({ path, fullPage: true });
    };
    await page.goto(`${url}/console/`);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await take("sign-in");
    await signIn(page);
    await page.getByRole("link", { name: "banner-text" }).waitFor();
    await take("flags");
    await page.getByRole("combobox", { name: "Search" }).fill("gate");
    await page.getByRole("option", { name: "First gate at level 40" }).waitFor();
    await take("search");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "new-checkout" }).click();
    await page.getByRole("region", { name: "Rules" }).waitFor();
    await take("flag");
    await page.getByRole("link", { name: "Who sees what" }).click();
    await page.getByLabel("User id").fill("ada");
    await page.getByLabel("Attributes").fill("country = DE\nplan = free");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("Step by step").waitFor();
    await take("flag-who");
    await page.getByRole("link", { name: "History" }).click();
    await page.getByText("No errors for a week").waitFor();
    await take("flag-history");
    await page.getByRole("link", { name: "Schedule" }).click();
    await page.getByRole("region", { name: "Checkout for everyone" }).waitFor();
    await take("flag-schedule");
    await page.getByRole("link", { name: "Safety" }).click();
    await page.getByRole("row", { name: "load time" }).waitFor();
    await take("flag-safety");
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("form", { name: "Name and tags" }).waitFor();
    await take("flag-settings");
    await page.goto(`${url}/console/flags/banner-text?tab=variants`);
    await signIn(page);
    await page.getByRole("button", { name: "Edit variants" }).click();
    await page.getByRole("group", { name: "Variant 2" }).waitFor();
    await take("flag-variants");
    await page.goto(`${url}/console/rollouts`);
    await signIn(page);
    await page.getByRole("row", { name: "new-checkout" }).waitFor();
    await take("rollouts");
    await page.goto(`${url}/console/experiments`);
    await signIn(page);
    await page.getByRole("link", { name: "First gate at level 40" }).waitFor();
    await take("experiments");
    await page.getByRole("link", { name: "First gate at level 40" }).click();
    await page.getByRole("slider", { name: "Day" }).waitFor();
    await take("experiment");
    await page.getByRole("link", { name: "By segment" }).click();
    await page.getByLabel("Attribute").fill("digit");
    await page.getByRole("button", { name: "Show segments" }).click();
    await page.getByText("so that 10 segments together raise few false alarms").waitFor();
    await take("experiment-segments");
    await page.goto(`${url}/console/experiments/new`);
    await signIn(page);
    await page.getByLabel("What do you want to test?").fill("A green button lifts sign-ups from 10 % to 12 %.");
    await page.getByRole("button", { name: "Fill in from this sentence" }).click();
    await page.getByText("The form is filled in").waitFor();
    await page.getByLabel("Users per day, if known").fill("2000");
    await page.getByText(/users, \d+ days/).waitFor();
    await take("new-experiment");
    await page.goto(`${url}/console/start`);
    await signIn(page);
    await page.getByLabel("Flag", { exact: true }).selectOption("gift-cards");
    await page.getByLabel("Language").selectOption("Node.js");
    await page.getByLabel("Name of the key").waitFor();
    await take("start");
    await page.goto(`${guarded.url}/console/proposals`);
    await signIn(page);
    await page
      .getByRole("link", { name: /new-checkout/ })
      .first()
      .waitFor();
    await take("proposals");
    await page
      .getByRole("link", { name: /new-checkout/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await take("proposal");
    await page.goto(`${twofold.url}/console/promotion?environment=staging`);
    await signIn(page);
    await page.getByRole("checkbox", { name: "Flag gift-cards" }).check();
    await take("promotion");
    await page.goto(`${url}/console/keys`);
    await signIn(page);
    await page.getByRole("row", { name: "Shop" }).waitFor();
    await take("keys");
    await page.goto(`${guarded.url}/console/keys/${shop.id}/rotate`);
    await signIn(page);
    await page.getByRole("button", { name: "Create the successor" }).click();
    await page.getByText("The successor was not used yet.").waitFor();
    await take("key-rotation");
    await page.getByRole("button", { name: "Discard the successor" }).click();
    await page.getByRole("button", { name: "Discard", exact: true }).click();
    await page.getByRole("button", { name: "Create the successor" }).waitFor();
    await page.goto(`${url}/console/audit?kind=feature_flag`);
    await signIn(page);
    await page.getByRole("row", { name: "gift-cards" }).first().waitFor();
    await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
    await take("audit");
    await page.goto(`${url}/console/people`);
    await signIn(page);
    await page.getByRole("link", { name: "Dora Diaz" }).waitFor();
    await page.locator("summary").first().waitFor();
    await take("people");
    await page.getByRole("link", { name: "Dora Diaz" }).click();
    await page.getByRole("row", { name: "feature flags" }).waitFor();
    await take("person");
    await page.goto(`${url}/console/segments`);
    await signIn(page);
    await page.getByRole("link", { name: "early testers" }).waitFor();
    await take("segments");
    await page.getByRole("link", { name: "early testers" }).click();
    await page.getByRole("button", { name: "Edit segment" }).click();
    await take("segment");
    await page.goto(`${url}/console/traffic`);
    await signIn(page);
    await page.getByRole("region", { name: "Checkout page" }).waitFor();
    await page.getByText("Seen so far").waitFor();
    await take("traffic");
    await page.goto(`${operated.url}/console/health`);
    await signIn(page);
    await page.getByRole("region", { name: "events-export" }).waitFor();
    await page.getByRole("row", { name: /rollout-advance/ }).waitFor();
    await take("health");
    await page.goto(`${url}/console/integrations`);
    await signIn(page);
    await page.getByRole("row", { name: /Shop board.*Ignored/ }).waitFor();
    await take("integrations");
    await page.getByRole("link", { name: "Shop board" }).click();
    await page
      .getByRole("row", { name: /SHOP-12/ })
      .first()
      .waitFor();
    await take("integration");
    await page.goto(`${url}/console/warehouse`);
    await signIn(page);
    await page.getByRole("row", { name: /Shop warehouse/ }).waitFor();
    await page.getByRole("region", { name: "warehouse-sync" }).waitFor();
    await take("warehouse");
    await page.goto(`${url}/console/compliance`);
    await signIn(page);
    await page.getByRole("button", { name: "Create the SOC 2 report" }).click();
    await page.getByText("The trail is unchanged").waitFor();
    await take("compliance");
    await page.goto(`${url}/console/notifications`);
    await signIn(page);
    await page.getByText("Nothing was sent").waitFor();
    await take("notifications");
    await context.close();
  }
}
await browser.close();
await guarded.close();
await twofold.close();
await operated.close();
await server.close();

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { checkLooks, checkPage } from "./checks.fixture.ts";
import { signIn, type TestConsole } from "./console.fixture.ts";
import { asViewer, confirm, describeConsole, faultOf, type Run, type Visit } from "./describe-console.fixture.ts";

/** An issue tracker that knows one token. */
async function serveTracker(token: string) {
  const credentials = `Basic ${Buffer.from(`bot:${token}`).toString("base64")}`;
  const server = createServer(({ headers }, response) => {
    response.writeHead(headers.authorization === credentials ? 200 : 401, { "content-type": "application/json" });
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

describeConsole("integrations in the console", ({ onPage, testLooks }) => {
  const options = { outbound: { allowPrivateNetworks: ["127.0.0.1/32"] } };
  const create = ({ admin }: TestConsole, name = "Board", base_url = "https://tracker.example.org") =>
    admin.request("POST /integrations", {
      body: {
        name,
        integration_type: "TRACKER",
        description: "Our issues",
        config: { base_url, username: "bot", api_token: "a token", webhook_token: "a-webhook-token" } as never,
      },
    });
  const onIntegrations = (run: Run, more: Partial<Visit> = {}) =>
    onPage({ path: "integrations", options, prepare: (server) => create(server), ...more }, run);
  const list = ({ admin }: TestConsole) => admin.request("GET /integrations", { query: {} });
  const get = async (server: TestConsole, id: string) =>
    server.admin.request("GET /integrations/{id}", { params: { id } });

  test("are connected by type, with secrets that a reload forgets and nothing else", async () => {
    await onIntegrations(async (page, server) => {
      await page.getByRole("row", { name: /Board.*Issue tracker.*Active.*Never/ }).waitFor();
      await page.getByRole("button", { name: "Connect a system" }).click();
      const dialog = page.getByRole("dialog", { name: "Connect a system" });
      await dialog.getByLabel("Type").selectOption("CRM");
      await dialog.getByLabel("Name of the integration").fill("Sales");
      await dialog.getByLabel("Address of the instance").fill("https://sales.example.org");
      await dialog.getByLabel("Client id").fill("assay");
      await dialog.getByLabel("Client secret").fill("hush");
      await page.reload();
      await signIn(page);
      expect(await dialog.getByLabel("Client id").inputValue()).toBe("assay");
      expect(await dialog.getByLabel("Client secret").inputValue()).toBe("");
      const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
      expect(kept).toContain("sales.example.org");
      expect(kept).not.toContain("hush");
      await dialog.getByLabel("Client secret").fill("hush");
      await dialog.getByLabel("Statuses and what they do").fill("Live = start\nOver = COMPLETE");
      await confirm(page, "Connect a system");
      await page.getByRole("heading", { name: "Sales" }).waitFor();
      await page.getByText("Live → start, Over → complete").waitFor();
      const created = (await list(server)).find(({ name }) => name === "Sales")!;
      expect((await get(server, created.id)).config).toMatchObject({
        instance_url: "https://sales.example.org",
        client_id: "assay",
        client_secret: "********",
        transitions: { Live: "START", Over: "COMPLETE" },
      });
      await page.getByText(`${server.url}/api/v1/integrations/${created.id}/webhook/crm`).waitFor();
      expect(await page.getByText("hush").count()).toBe(0);
    });
  });

  test("show beside the field what the server refuses", async () => {
    await onIntegrations(
      async (page, server) => {
        await page.getByRole("button", { name: "Connect a system" }).click();
        const dialog = page.getByRole("dialog");
        const submit = dialog.getByRole("button", { name: "Connect a system" });
        await dialog.getByLabel("Type").selectOption("Issue tracker");
        await dialog.getByLabel("Name of the integration").fill("Board");
        await dialog.getByLabel("Address", { exact: true }).fill("no address");
        await dialog.getByLabel("Username").fill("bot");
        await dialog.getByLabel("API token").fill("a token");
        await dialog.getByLabel("Statuses and what they do").fill("Done");
        await submit.click();
        expect(await faultOf(page, "Statuses and what they do")).toContain('"Done" is not of the form');
        await dialog.getByLabel("Statuses and what they do").fill("");
        await submit.click();
        expect(await faultOf(page, "Address")).toContain("Expected an http or https URL");
        await checkPage(page);
        await dialog.getByLabel("Address", { exact: true }).fill("https://board.example.org");
        await submit.click();
        await dialog.getByText("already").waitFor();
        expect(await list(server)).toHaveLength(1);
      },
      { refusals: [422, 409] },
    );
  });

  test("are tested with the stored credentials, and edited without showing them", async () => {
    const tracker = await serveTracker("right token");
    const prepare = (server: TestConsole) => create(server, "Board", tracker.url);
    await onIntegrations(
      async (page, server) => {
        await page.getByRole("link", { name: "Board" }).click();
        await page.getByRole("button", { name: "Test connection" }).click();
        await page.getByText("The other system answered 401").waitFor();
        await page.getByRole("button", { name: "Edit integration" }).click();
        const dialog = page.getByRole("dialog");
        expect(await dialog.getByLabel("API token").inputValue()).toBe("");
        await dialog.getByLabel("API token").fill("right token");
        await dialog.getByLabel("Description").fill("Issues of the shop");
        await confirm(page, "Save");
        await page.getByText("Issues of the shop").waitFor();
        await page.getByRole("button", { name: "Test connection" }).click();
        await page.getByText(/The other system answered in [\d.]+ ms\./).waitFor();
        const { id } = (await list(server))[0]!;
        // What the form did not name stays.
        expect((await get(server, id)).config).toMatchObject({ username: "bot", webhook_token: "********" });
        // Another address needs the credentials again.
        await page.getByRole("button", { name: "Edit integration" }).click();
        await dialog.getByLabel("Address", { exact: true }).fill("https://elsewhere.example.org");
        await dialog.getByRole("button", { name: "Save" }).click();
        expect(await faultOf(page, "API token")).toContain("its destination has changed");
      },
      { refusals: [422], prepare },
    );
    await tracker.close();
  });

  test("list their messages, and are disconnected after a question", async () => {
    await onIntegrations(async (page, server) => {
      const { id } = (await list(server))[0]!;
      await server.admin.request("POST /experiments/", {
        body: { key: "checkout", name: "Checkout", tracker_issue_key: "SHOP-1" },
      });
      const send = (status: string) =>
        fetch(`${server.url}/api/v1/integrations/${id}/webhook/tracker`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-assay-webhook-token": "a-webhook-token" },
          body: JSON.stringify({
            webhookEvent: "jira:issue_updated",
            issue: { key: "SHOP-1", fields: { status: { name: status } } },
          }),
        });
      expect((await send("Thinking about it")).status).toBe(200);
      await page.reload();
      await signIn(page);
      await page.getByRole("row", { name: /Board.*Active.*Ignored/ }).waitFor();
      await page.getByRole("link", { name: "Board" }).click();
      await page.getByRole("row", { name: /From it: jira:issue_updated.*SHOP-1.*Ignored/ }).waitFor();
      await page.getByRole("button", { name: "Disconnect" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect((await get(server, id)).is_active).toBe(true);
      await page.getByRole("button", { name: "Disconnect" }).click();
      await confirm(page, "Disconnect");
      await page.getByText("This integration is disconnected.").waitFor();
      expect(await page.getByRole("button", { name: "Edit integration" }).count()).toBe(0);
      expect((await get(server, id)).is_active).toBe(false);
    });
  });

  test("tell a viewer and an analyst which role they need", async () => {
    await onIntegrations((page) => page.getByText("Integrations need the role Analyst.").waitFor(), { as: asViewer });
    await onIntegrations(
      async (page) => {
        await page.getByRole("link", { name: "Board" }).click();
        await page.getByText("Needs the role Developer").first().waitFor();
        for (const name of ["Test connection", "Edit integration", "Disconnect"]) {
          expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
        }
      },
      { as: (server) => server.addUser("ana", "ANALYST") },
    );
  });

  testLooks("fit a phone and a desk", { path: "integrations", prepare: (server) => create(server) }, async (page) => {
    await page.getByRole("row", { name: /Board.*Never/ }).waitFor();
    await checkLooks(page);
    await page.getByRole("link", { name: "Board" }).click();
    await page.getByText("Nothing was sent or received yet.").waitFor();
    await checkLooks(page);
    await page.getByRole("button", { name: "Edit integration" }).click();
    await checkLooks(page);
  });
});

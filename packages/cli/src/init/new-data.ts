import { type Client, createClient } from "@assay/client";
import { createAssay } from "@assay/server";
import { namespaced } from "@assay/store";
import { CommandFailure, failure, reasonOf } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { firstAdministrator } from "../serve/first-administrator.ts";
import { readNamespace } from "../serve/operation-settings.ts";
import { readServeSettings } from "../serve/settings.ts";
import { describeStorage, openStore, readDataChoice } from "../serve/storage.ts";

/**
 * Creates a server's data with its first administrator, whose password it prints, and calls the API in this process as
 * that user.
 * @throws {CommandFailure} if the data has an administrator already
 */
export async function withNewData<T>(flags: Flags, work: (client: Client, username: string) => Promise<T>): Promise<T> {
  const settings = readServeSettings(flags, process.env);
  const choice = readDataChoice(flags, process.env, "is gone when this command ends");
  const namespace = readNamespace(flags, process.env);
  const storage = await openStore(choice);
  const { admin, announce } = await firstAdministrator(namespaced(storage, namespace ?? ""), settings);
  if (!admin) {
    await storage.close();
    throw failure(
      `${describeStorage(choice)} has an administrator already; start the server, and run assay init --url ADDRESS --username NAME`,
    );
  }
  const { auditKey, secretKeys } = settings;
  const audit = auditKey === undefined ? undefined : { key: auditKey };
  const assay = createAssay({ storage, namespace, admin, audit, secretKeys, jobs: false });
  try {
    await assay.ready;
    await announce(assay);
    const client = createClient({ baseUrl: "https://in-process.invalid", fetch: assay.fetch, ...admin });
    return await work(client, admin.username);
  } catch (error) {
    throw error instanceof CommandFailure ? error : failure(reasonOf(error), error);
  } finally {
    await assay.close();
  }
}

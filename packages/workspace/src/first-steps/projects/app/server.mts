import { createServer } from "node:http";
import { clickhouseEvents } from "@assay/clickhouse";
import { consoleAssets } from "@assay/console";
import { lmdbStore } from "@assay/lmdb";
import lmdbDriver from "@assay/lmdb/driver";
import { postgresStore } from "@assay/postgres";
import { redisStore } from "@assay/redis";
import { type AssayOptions, createAssay } from "@assay/server";
import { genericStore, type KeyValueStorage, memoryStore } from "@assay/store";

declare const storage: KeyValueStorage;
const options: AssayOptions = { storage: memoryStore(), console: consoleAssets };
createServer(createAssay(options).node).listen(4400);
createAssay({ storage });
export const stores = [genericStore(storage), lmdbStore({ path: ".assay" }), lmdbDriver({ path: ".assay" })];
export const unused = [clickhouseEvents, postgresStore, redisStore];
// @ts-expect-error The types reach the project: a wrong option is an error.
createAssay({ maxStreams: "1" });

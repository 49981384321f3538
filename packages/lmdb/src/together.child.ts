import { lmdbStore } from "./lmdb-store.ts";

// Opens the directory of each message, appends records one by one, and answers their positions.
const RECORDS = 100;

process.on("message", async (path: string) => {
  const store = lmdbStore({ path });
  const records = [new Uint8Array(1)];
  const append = () => store.batch([{ type: "append", journal: "log", records }]);
  const results = await Promise.all(Array.from({ length: RECORDS }, append));
  await store.close();
  process.send!(results.map((one) => (one.ok ? one.results[0] : null)));
});
process.once("disconnect", () => process.exit());

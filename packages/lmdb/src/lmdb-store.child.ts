import { answerParent } from "@assay/server/store/conformance";
import { lmdbStore } from "./lmdb-store.ts";

await answerParent((path) => lmdbStore({ path }));

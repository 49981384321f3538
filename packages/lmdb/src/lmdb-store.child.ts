import { answerParent } from "@assay/store/conformance";
import { lmdbStore } from "./lmdb-store.ts";

await answerParent((path) => lmdbStore({ path }));

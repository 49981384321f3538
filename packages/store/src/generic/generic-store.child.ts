import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { answerParent } from "../conformance/index.ts";
import { genericStore } from "./generic-store.ts";

await answerParent((base) => genericStore(createStorage({ driver: fsDriver({ base }) })));

import { createServer } from "node:http";
import { lmdbStore } from "@assay/lmdb";
import { createAssay } from "@assay/server";

const { PORT = "4400", DATA = "./data", ADMIN_PASSWORD = "change me soon" } = process.env;

const assay = createAssay({
  storage: lmdbStore({ path: DATA }),
  admin: { username: "admin", password: ADMIN_PASSWORD },
});
await assay.ready;

const server = createServer(assay.node);
server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  console.log(`ready at http://127.0.0.1:${typeof address === "object" ? address?.port : PORT}`);
});

process.once("SIGTERM", () => {
  server.close(() => assay.close());
});

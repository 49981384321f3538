import { connection } from "next/server";
import { getAssay } from "./assay.ts";

export default async function Page() {
  // A flag is asked for with each request, not when the app is built.
  await connection();
  const assay = getAssay();
  await assay.ready;
  const { value } = assay.engine.evaluate("new-checkout", { targetingKey: "grace" }, false);
  return <p>{value ? "The new checkout" : "The old checkout"}</p>;
}

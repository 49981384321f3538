import { connection } from "next/server";
import { Suspense } from "react";
import { getAssay } from "./assay.ts";

async function Checkout() {
  // A flag is asked for with each request, not when the app is built.
  await connection();
  const assay = getAssay();
  await assay.ready;
  const { value } = assay.engine.evaluate("new-checkout", { targetingKey: "grace" }, false);
  return <p>{value ? "The new checkout" : "The old checkout"}</p>;
}

// With `cacheComponents`, Next.js sends the rest of the page at once.
export default function Page() {
  return (
    <Suspense>
      <Checkout />
    </Suspense>
  );
}

import { getAssay } from "../assay.server.ts";

export async function loader() {
  const assay = getAssay();
  await assay.ready;
  return assay.engine.evaluate("new-checkout", { targetingKey: "grace" }, false);
}

export default function Home({ loaderData }: { loaderData: { value: boolean } }) {
  return <p>{loaderData.value ? "The new checkout" : "The old checkout"}</p>;
}

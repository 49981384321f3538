import { getAssay } from "../../assay.ts";

export const ALL = ({ request }: { request: Request }) => getAssay().fetch(request);

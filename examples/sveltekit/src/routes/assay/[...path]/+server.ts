import { getAssay } from "#lib/server/assay.ts";

export const trailingSlash = "ignore";

export const fallback = ({ request }: { request: Request }) => getAssay().fetch(request);

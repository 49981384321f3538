import { getAssay } from "../../assay.ts";

const handle = (request: Request) => getAssay().fetch(request);

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT };

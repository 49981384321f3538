import { getAssay } from "../assay.server.ts";

const handle = ({ request }: { request: Request }) => getAssay().fetch(request);

// GET requests are for the loader, all others for the action.
export { handle as action, handle as loader };

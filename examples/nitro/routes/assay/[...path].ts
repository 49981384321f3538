import { defineHandler } from "nitro/h3";
import { getAssay } from "../../assay.ts";

export default defineHandler((event) => getAssay().fetch(event.req));

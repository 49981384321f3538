/** Sends the API to a server, so that pages of the site may call all of its routes. */
export const proxy = { "/api/v1": process.env.ASSAY_URL ?? "http://127.0.0.1:4400" };

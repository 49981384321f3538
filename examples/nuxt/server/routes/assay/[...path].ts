export default defineEventHandler(({ node }) => getAssay().node(node.req, node.res));

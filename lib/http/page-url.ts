import type { FastifyInstance } from 'fastify'

/**
 * @param path of the page, as the browser client names it: its addresses are in the fragment
 * @returns where a browser opens a page of the workspace, at the workspace's own host
 */
export const pageUrl = ({ workspaces }: Pick<FastifyInstance, 'workspaces'>, workspaceId: string, path: string):
string => `${workspaces.originOf(workspaceId)}/#${path}`

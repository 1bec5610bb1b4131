import type { PublicationRow } from '../../../../db/content/publications.js'
import { callRoute, type RouteAnswer } from '../../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../../lib/security/actor.js'
import { ApiError, InsufficientRole } from '../../../../schemas/errors.js'
import type { Deps } from './deps.js'

/** Calls the code host's routes as the person who asked, with the rights of now. */
export const callCodehost = async (deps: Deps, row: PublicationRow, url: string, payload?: object):
Promise<RouteAnswer> => {
  try {
    const principal = await currentPrincipal(deps, row.workspace_id, row.principal)
    return await callRoute(deps, { ...principal, background: true },
      { method: payload ? 'POST' : 'GET', url, ...(payload && { payload }) })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== InsufficientRole.code) throw error
    return { status: error.statusCode, body: { code: error.code } }
  }
}

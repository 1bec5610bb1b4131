import { readRoute } from '../../../lib/http/call-route.js'
import { findPerson } from '../../../lib/account/people.js'
import type { Principal } from '../../../lib/security/principal.js'
import {
  ConfirmationDetails, ConfirmationPage, type Confirmation
} from '../../../schemas/agent/confirmations.js'
import { ApiError } from '../../../schemas/errors.js'
import type { Deps } from './deps.js'

/** @returns the person with the rights of now; undefined when they have none left */
export const principalOf = async ({ db }: Pick<Deps, 'db'>, workspaceId: string, userId: string):
Promise<Principal | undefined> => {
  const person = await findPerson(db, workspaceId, userId)
  if (person?.status !== 'active') return undefined
  const { name, role, bindings } = person
  const rights = { name, role, bindings, scopes: null }
  return { workspace_id: workspaceId, user_id: userId, ...rights, via: 'browser', via_id: null }
}

/** No one decides more than this; what is left comes when these are decided. */
const mostPages = 5

/** @returns what waits for the person's approval, as their inbox shows it */
export const listToDecide = async (deps: Deps, principal: Principal): Promise<Confirmation[]> => {
  const found: Confirmation[] = []
  let cursor = ''
  for (let page = 0; page < mostPages; page++) {
    const url = `/api/v1/agent/confirmations?view=to_decide&limit=100${cursor}`
    const { items, next_cursor: after } = await readRoute(deps, principal, { url }, ConfirmationPage)
    found.push(...items)
    if (after === null) break
    cursor = `&cursor=${encodeURIComponent(after)}`
  }
  return found
}

/** @returns the question as the person sees it; undefined when they do not */
export const readQuestion = async (deps: Deps, principal: Principal, id: string):
Promise<ConfirmationDetails | undefined> => {
  try {
    return await readRoute(deps, principal, { url: `/api/v1/agent/confirmations/${id}` }, ConfirmationDetails)
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.statusCode)) return undefined
    throw error
  }
}

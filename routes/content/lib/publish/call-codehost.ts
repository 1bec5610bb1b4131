import { findPerson } from '../../../../db/account/principals.js'
import type { PublicationRow } from '../../../../db/content/publications.js'
import { ticketHeader } from '../../../../plugins/principal.js'
import type { Deps } from './deps.js'

export interface CodehostAnswer { status: number, body: Record<string, unknown> }

/** Calls the code host's routes as the person who asked, with the rights of now. */
export const callCodehost = async (deps: Deps, row: PublicationRow, url: string, payload?: object):
Promise<CodehostAnswer> => {
  const { workspace_id, principal: asker } = row
  const person = await findPerson(deps.db, workspace_id, asker.user_id)
  if (person?.status !== 'active') return { status: 403, body: { code: 'insufficient_role' } }
  const principal = { ...asker, workspace_id, name: person.name, role: person.role, background: true }
  const answer = await deps.inject({
    method: payload ? 'POST' : 'GET',
    url,
    headers: { [ticketHeader]: deps.tickets.issue(principal) },
    ...(payload && { payload })
  })
  // Our own answers are objects.
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
}

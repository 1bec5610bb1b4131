import type { Role } from '../../db/types.js'
import { roles } from '../../schemas/account/users.js'
import { allScopes, approvals, type Scope } from '../../schemas/account/scopes.js'
import { asAdmin, type App } from '../app.js'
import { makePerson, makeStranger, makeToken, makeWorkspace } from '../routes/account/actors.js'

export type Headers = Record<string, string>

/** A caller of operations; `role` undefined = without credentials, `scopes` null = all that the role allows. */
export interface Caller {
  name: string
  headers: Headers
  role?: Role
  scopes: Scope[] | null
  assistant?: boolean
}

/**
 * @returns an anonymous caller, a person of each role, admins of two other workspaces, a token of each scope alone, an
 *   assistant's, and that of a command that approves
 */
export const makeCallers = async (app: App): Promise<Caller[]> => {
  const people = roles.map(async (role): Promise<Caller> =>
    ({ name: role, role, scopes: null, headers: (await makePerson(app, `Some ${role}`, role)).headers }))
  const tokens = allScopes.map(async (scope): Promise<Caller> =>
    ({ name: scope, role: 'admin', scopes: [scope], headers: (await makeToken(app, asAdmin, [scope])).headers }))
  const scopes = allScopes.filter((scope) => scope !== approvals)
  const marked = await makeToken(app, asAdmin, scopes, { assistant: true })
  const command = await makeToken(app, asAdmin, scopes, { assistant: true })
  // Only a sign-in of the command line gives one such.
  await app.db.updateTable('account_token').set({ scopes: JSON.stringify(allScopes) }).where('id', '=', command.id)
    .execute()
  return [
    { name: 'anonymous', scopes: null, headers: {} },
    ...await Promise.all(people),
    { name: 'admin elsewhere', role: 'admin', scopes: allScopes, headers: await makeStranger(app) },
    { name: 'admin of a third', role: 'admin', scopes: null, headers: (await makeWorkspace(app, 'Third')).headers },
    ...await Promise.all(tokens),
    { name: 'assistant', role: 'admin', scopes, assistant: true, headers: marked.headers },
    { name: 'command', role: 'admin', scopes: allScopes, assistant: true, headers: command.headers }
  ]
}
